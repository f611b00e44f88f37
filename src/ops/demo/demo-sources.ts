/** A simulated place of sale, in the columns of the table `sources`. */
type DemoSource = {
  id: string;
  displayName: string;
  bucket: 'public' | 'partner';
  category: 'public' | 'partner';
  /** Ids of the sources whose sales it repeats. */
  aggregates: string[];
};

/** None of these exists: every id and name says so. */
export const DEMO_SOURCES: readonly DemoSource[] = [
  source('simulated-auctions', 'Simulated auctions'),
  source('simulated-marketplace', 'Simulated marketplace'),
  source('simulated-auction-house', 'Simulated auction house'),
  source('simulated-japan', 'Simulated marketplace Japan'),
  { ...source('simulated-shop', 'Simulated shop'), bucket: 'partner', category: 'partner' },
  {
    ...source('simulated-collector-feed', 'Simulated collector feed'),
    aggregates: ['simulated-auctions', 'simulated-marketplace'],
  },
];

function source(id: string, displayName: string): DemoSource {
  return { id, displayName, bucket: 'public', category: 'public', aggregates: [] };
}
