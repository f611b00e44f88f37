/** The simulated places of sale, in the columns of the table `sources`. None of these exists: every id and name says so. */
export const DEMO_SOURCES = [
  { id: 'simulated-auctions', displayName: 'Simulated auctions' },
  { id: 'simulated-marketplace', displayName: 'Simulated marketplace' },
  { id: 'simulated-auction-house', displayName: 'Simulated auction house' },
  { id: 'simulated-japan', displayName: 'Simulated marketplace Japan' },
  { id: 'simulated-shop', displayName: 'Simulated shop', bucket: 'partner' },
  {
    id: 'simulated-collector-feed',
    displayName: 'Simulated collector feed',
    // It repeats their sales.
    aggregates: ['simulated-auctions', 'simulated-marketplace'],
  },
];
