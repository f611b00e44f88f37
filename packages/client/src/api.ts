// Written by scripts/client-api.mjs from the OpenAPI document; not to be edited.

import type { ServerEvent } from './events.ts';

export type Problem = {
  type: string;
  title: string;
  status: number;
  /** One sentence a person can act on. */
  detail: string;
  error:
    | 'invalid_parameter'
    | 'invalid_cert'
    | 'invalid_cursor'
    | 'upload_malformed'
    | 'image_unreadable'
    | 'unauthorized'
    | 'approved_access_required'
    | 'not_found'
    | 'ambiguous'
    | 'unknown_game'
    | 'withdrawn'
    | 'method_not_allowed'
    | 'upload_too_large'
    | 'range_not_satisfiable'
    | 'invalid_form'
    | 'rate_limited'
    | 'internal'
    | 'unavailable';
  requestId: string;
  /** Of `not_found` and `ambiguous`: addresses of cards or grades that may have been meant. */
  candidates?: ReadonlyArray<string>;
  /** Of `withdrawn`. */
  removedAt?: string;
  /** Of `withdrawn`: the address of the card that took its place. */
  replacedBy?: string | null;
  errors?: ReadonlyArray<{
    parameter?: string;
    pointer?: string;
    code: string;
    message: string;
  }>;
};

export type CardSummary = {
  id: string;
  upstreamItemId: string | null;
  game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
  type: 'POKEMON' | 'ONE_PIECE' | 'SPORTS' | 'LORCANA' | 'DIGIMON' | 'RIFTBOUND' | 'MTG' | 'YUGIOH' | 'GUNDAM';
  name: string;
  setName: string | null;
  setCode: string | null;
  cardNumber: string | null;
  printedNumber: string | null;
  variation: string | null;
  rarity: string | null;
  language: string | null;
  year: number | null;
  imageUrl: string | null;
  imageUrlThumb: string | null;
  company: 'PSA' | 'BGS' | 'CGC' | 'RAW' | null;
  grade: string | null;
  gradeLabel: string | null;
  priceUsdCents: number | null;
  priceRangeUsdCents: {
    /** US cents. */
    low: number;
    /** US cents. */
    high: number;
  } | null;
  nextSaleRangeUsdCents: {
    /** US cents. */
    low: number;
    /** US cents. */
    high: number;
  } | null;
  /** The last move of the price rests on one source and day that surprised. Until a second sale confirms it, both ranges also cover the price before it. */
  unconfirmedMove: boolean;
  deltaPct: number | null;
  confidence: 'prime' | 'high' | 'medium' | 'low' | null;
  confidenceScore: number | null;
  /** Priced without a sale of its own. */
  estimated: boolean;
  asOf: string | null;
  updatedAt: string | null;
  lastSaleAt: string | null;
  /** Weekly US cents, oldest first. */
  spark: ReadonlyArray<number>;
  /** Present where the price is withheld: its sales may be those of another card, as `/v1/audit` shows. */
  reason?: 'identity_suspect';
  /** Empty when it has none; absent when they could not be read. */
  tags?: ReadonlyArray<{
    kind: string;
    slug: string;
    name: string;
  }>;
  /** Site-relative address of its page. */
  href: string;
};

export type CardDetail = CardSummary & {
  imageUrlLg: string | null;
  deltas: {
    d7: number | null;
    d30: number | null;
    d365: number | null;
  };
  sourceCount: number;
  observationCount: number;
  observationWindowDays: number;
  totalObservationCount: number;
  refreshing: boolean;
  sourceBreakdown: ReadonlyArray<{
    source: string;
    bucket: string;
    category: string;
    displayName: string;
    count: number;
    medianUsdCents: number | null;
    overviewUrl: string | null;
  }>;
  sourceBreakdownAllTime: ReadonlyArray<{
    source: string;
    bucket: string;
    category: string;
    displayName: string;
    count: number;
    medianUsdCents: number | null;
    overviewUrl: string | null;
  }>;
  trackedSources: ReadonlyArray<{
    source: string;
    bucket: string;
    category: string;
    displayName: string;
    count: number;
    medianUsdCents: number | null;
    overviewUrl: string | null;
  }>;
  methods: ReadonlyArray<{
    method: 'model' | 'median' | 'mean' | 'vwap';
    scorerVersion: string;
    label: string;
    priceUsdCents: number | null;
    confidence: 'prime' | 'high' | 'medium' | 'low' | null;
    sourceCount: number;
    observationCount: number;
  }>;
  otherGrades: ReadonlyArray<{
    /** `RAW`: ungraded. */
    company: 'PSA' | 'BGS' | 'CGC' | 'RAW';
    grade: string;
    gradeLabel: string;
    priceUsdCents: number | null;
    deltaPct: number | null;
    confidence: 'prime' | 'high' | 'medium' | 'low' | null;
    lastSaleAt: string | null;
    href: string;
    current: boolean;
  }>;
  otherLanguages: ReadonlyArray<{
    id: string;
    name: string;
    language: string;
    variation: string | null;
    rarity: string | null;
    imageUrl: string | null;
    gradeLabel: string | null;
    priceUsdCents: number | null;
    href: string;
  }>;
  otherVariants: ReadonlyArray<{
    id: string;
    name: string;
    language: string;
    variation: string | null;
    rarity: string | null;
    imageUrl: string | null;
    gradeLabel: string | null;
    priceUsdCents: number | null;
    href: string;
  }>;
  basis: 'own_sales' | 'other_grades' | 'set_and_game' | null;
  explanation: Explanation | null;
  methodologyUrl: string;
  dataLicense: string | null;
  /** Ids by which other programs know the card, by whose they are. One may be of several printings. */
  externalIds: {
    [name: string]: ReadonlyArray<string>;
  };
  population: Population | null;
  pageUrl: string;
  receiptUrl: string | null;
  attribution: {
    text: string;
    url: string;
  };
};

export type Explanation = {
  /** They add up to 1. */
  shares: {
    /** Share of the price that follows this: when it rises by 1%, the price rises by so many percent. */
    ownSales: number;
    /** Share of the price that follows this: when it rises by 1%, the price rises by so many percent. */
    otherGrades: number;
    /** Share of the price that follows this: when it rises by 1%, the price rises by so many percent. */
    setAndGame: number;
  };
  lastOwnSale: {
    /** ISO 8601 with milliseconds and Z. */
    soldAt: string;
    /** US cents. */
    priceUsdCents: number;
  } | null;
  marketSinceLastSalePct: number | null;
  /** The sales with the largest influence, at most five. */
  sales: ReadonlyArray<{
    /** ISO 8601 with milliseconds and Z. */
    soldAt: string;
    /** `RAW`: ungraded. */
    company: 'PSA' | 'BGS' | 'CGC' | 'RAW';
    grade: string;
    gradeLabel: string;
    /** US cents. */
    priceUsdCents: number;
    source: string;
    displayName: string;
    saleType: 'auction' | 'fixed' | 'offer' | 'house_auction' | 'shop';
    sourceUrl: string | null;
    /** Whether it was voided since the last close: the next one takes it out. */
    voided: boolean;
    /** How far the model believed the sale. */
    weight: number;
    /** Share of the price that follows this: when it rises by 1%, the price rises by so many percent. */
    influence: number;
    priceBeforeUsdCents: number | null;
  }>;
};

export type Population = {
  total: number;
  atGrade: number;
  higher: number;
  gemRate: {
    value: number;
    low: number;
    high: number;
  } | null;
  asOf: string;
  source: string;
  growth: {
    since: string;
    added: number;
  } | null;
};

export type Overview = {
  /** The day of the parameter `asOf`; absent without it. */
  asOf?: string;
  id: string;
  upstreamItemId: string | null;
  game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
  type: 'POKEMON' | 'ONE_PIECE' | 'SPORTS' | 'LORCANA' | 'DIGIMON' | 'RIFTBOUND' | 'MTG' | 'YUGIOH' | 'GUNDAM';
  name: string;
  setName: string | null;
  setCode: string | null;
  cardNumber: string | null;
  printedNumber: string | null;
  variation: string | null;
  language: string | null;
  imageUrl: string | null;
  imageUrlLg: string | null;
  gradeCount: number;
  href: string;
  grades: ReadonlyArray<{
    /** `RAW`: ungraded. */
    company: 'PSA' | 'BGS' | 'CGC' | 'RAW';
    grade: string;
    gradeLabel: string;
    priceUsdCents: number | null;
    priceRangeUsdCents: {
      /** US cents. */
      low: number;
      /** US cents. */
      high: number;
    } | null;
    nextSaleRangeUsdCents: {
      /** US cents. */
      low: number;
      /** US cents. */
      high: number;
    } | null;
    /** The last move of the price rests on one source and day that surprised. Until a second sale confirms it, both ranges also cover the price before it. */
    unconfirmedMove: boolean;
    deltaPct: number | null;
    confidence: 'prime' | 'high' | 'medium' | 'low' | null;
    confidenceScore: number | null;
    sourceCount: number;
    observationCount: number;
    asOf: string | null;
    updatedAt: string | null;
    lastSaleAt: string | null;
    estimated: boolean;
    spark: ReadonlyArray<number>;
    /** Present where the price is withheld: its sales may be those of another card, as `/v1/audit` shows. */
    reason?: 'identity_suspect';
    href: string;
  }>;
  attribution: {
    text: string;
    url: string;
  };
};

export type SearchHit = {
  id: string;
  upstreamItemId: string | null;
  game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
  type: 'POKEMON' | 'ONE_PIECE' | 'SPORTS' | 'LORCANA' | 'DIGIMON' | 'RIFTBOUND' | 'MTG' | 'YUGIOH' | 'GUNDAM';
  name: string;
  setName: string | null;
  setCode: string | null;
  cardNumber: string | null;
  printedNumber: string | null;
  variation: string | null;
  rarity: string | null;
  language: string | null;
  year: number | null;
  imageUrl: string | null;
  imageUrlThumb: string | null;
  company: 'PSA' | 'BGS' | 'CGC' | 'RAW' | null;
  grade: string | null;
  gradeLabel: string | null;
  priceUsdCents: number | null;
  priceRangeUsdCents: {
    /** US cents. */
    low: number;
    /** US cents. */
    high: number;
  } | null;
  nextSaleRangeUsdCents: {
    /** US cents. */
    low: number;
    /** US cents. */
    high: number;
  } | null;
  /** The last move of the price rests on one source and day that surprised. Until a second sale confirms it, both ranges also cover the price before it. */
  unconfirmedMove: boolean;
  deltaPct: number | null;
  confidence: 'prime' | 'high' | 'medium' | 'low' | null;
  confidenceScore: number | null;
  /** Priced without a sale of its own. */
  estimated: boolean;
  asOf: string | null;
  updatedAt: string | null;
  lastSaleAt: string | null;
  /** Weekly US cents, oldest first. */
  spark: ReadonlyArray<number>;
  /** Present where the price is withheld: its sales may be those of another card, as `/v1/audit` shows. */
  reason?: 'identity_suspect';
  /** Empty when it has none; absent when they could not be read. */
  tags?: ReadonlyArray<{
    kind: string;
    slug: string;
    name: string;
  }>;
  /** Site-relative address of its page. */
  href: string;
  /** Where the query names a grade: whether the card is tracked at it and shown at it. false: it is shown at its representative grade. */
  requestedGrade?: boolean;
};

export type EmbeddingModel = {
  /** Its name, as searches answer it. */
  model: string;
  /** Numbers of an embedding. */
  dimension: number;
  /** Of the ONNX file that embeds pictures here. */
  sha256: string;
  addedAt: string;
  /** The steps from an upright sRGB picture to what the encoder takes, and after it. */
  preprocessing: {
    resize: {
      shortSide: number;
      filter: string;
      antialias: boolean;
    };
    crop: {
      width: number;
      height: number;
      position: string;
    };
    channels: string;
    layout: string;
    scale: number;
    mean: ReadonlyArray<number>;
    std: ReadonlyArray<number>;
    output: string;
  };
  /** Pictures with their vectors: embed them and compare, to prove that yours match. */
  conformance: {
    /** Another encoder gives vectors of this space when no cosine is below. */
    leastCosine: number;
    pictures: ReadonlyArray<{
      name: string;
      width: number;
      height: number;
      png: string;
      /** What this encoder gives for it. */
      vector: ReadonlyArray<number>;
    }>;
  };
};

export type ImageSearch = {
  /** Catalog ids, the likeliest first. */
  ids: ReadonlyArray<string>;
  confidence: 'high' | 'medium' | 'low' | 'none' | null;
  /** Of searches by embedding: whether the scores of wrong cards are known for this model and catalog. Until they are, a score has no band. */
  measured?: boolean;
  /** Likeness of each id, 0 to 1. */
  scores: ReadonlyArray<number>;
  /** What the pictures were compared by. */
  model: string;
  /** With `hydrate=1`, in the order of `ids`. */
  items?: ReadonlyArray<CardSummary>;
};

export type Suspect = {
  id: number;
  /** `shared_id`: an external id on items of different cards. `swapped_siblings`: printings of a card with each other’s prices. `off_curve`: a grade with the sales of another printing. `grade_inversion`: PSA 9 above PSA 10. `source_factor`: a source with the sales of another card. `shifted_set`: the numbers of a set have the prices of their neighbours. */
  kind: string;
  items: ReadonlyArray<{
    id: string;
    /** Site-relative address of its page. */
    href: string;
    gradeLabel: string | null;
  }>;
  /** The probability of a fault, by the evidence alone. */
  score: number;
  evidence: ReadonlyArray<{
    /** A sentence. */
    text: string;
    /** The figures of the sentence. */
    data: {
      [name: string]: number | string;
    };
  }>;
  /** When an audit first found it. */
  foundAt: string;
  state: 'open' | 'decided';
  decision: 'right' | 'wrong' | null;
  decidedAt: string | null;
};

export type GradedLookup = {
  /** Grader and number: PSA149595098. */
  cert: string;
  /** As printed, leading zeros kept. */
  certNumber: string;
  company: string;
  /** It has a price. */
  found: boolean;
  grade: string | null;
  gradeLabel: string | null;
  card?: CardSummary;
  certImages: {
    front: string | null;
    back: string | null;
    item: string | null;
  } | null;
  population?: CertPopulation;
  /** Why there is no price: present when not found. */
  reason?:
    | 'no_grade_price'
    | 'deactivated'
    | 'needs_photo'
    | 'compute_incomplete'
    | 'company_unsupported'
    | 'not_ingested'
    | 'game_unsupported'
    | 'withdrawn'
    | 'identity_suspect';
  warning?: string;
  evidence?: SlabEvidence;
};

export type CertPopulation = {
  total: number | null;
  atGrade: number;
  higher: number;
  gemRate: {
    value: number;
    low: number;
    high: number;
  } | null;
  asOf: string;
  source: string;
  growth: {
    since: string;
    added: number;
  } | null;
};

export type SlabEvidence = {
  company: string;
  /** Rows of print on the label, where legible. */
  label: ReadonlyArray<string>;
  cert: string | null;
  gradeLabel: string | null;
  checks: ReadonlyArray<{
    /** `cert`: barcode and print of the cert. `grade`: label and record. `label`: its words and the card. `art`: what the picture shows and the card. */
    check: 'cert' | 'grade' | 'label' | 'art';
    /** Two things were there to compare. */
    compared: boolean;
    agrees: boolean | null;
    detail: string;
  }>;
};

export type SlabHistory = {
  /** Grader and number: PSA149595098. */
  cert: string;
  company: string;
  /** Recorded sales that name this cert, of public sources, the newest first. */
  sales: ReadonlyArray<{
    /** ISO 8601 with milliseconds and Z. */
    soldAt: string;
    priceUsdCents: number | null;
    source: string;
    displayName: string;
    /** As this sale has it. */
    gradeLabel: string;
    /** Of the card, as this sale has it. */
    name: string;
    href: string;
    disposition: 'used' | 'downweighted' | 'refused';
    dispositionReason: string | null;
    referencePriceUsdCents: number | null;
  }>;
  /** What changed in the record of the cert after it was registered, the newest first. */
  changes: ReadonlyArray<{
    /** ISO 8601 with milliseconds and Z. */
    at: string;
    field: 'card' | 'grade' | 'label' | 'state';
    /** Of `card`: its address. */
    from: string;
    to: string;
  }>;
  /** Records of this cert that cannot all be right, the newest first. */
  contradictions: ReadonlyArray<{
    kind: string;
    /** One sentence: which records contradict each other. Not that a slab is not genuine. */
    text: string;
    /** ISO 8601 with milliseconds and Z. */
    at: string;
  }>;
};

export type Resolution = {
  title: string;
  status: 'matched' | 'unmatched';
  reason: string | null;
  because: string | null;
  company: string | null;
  grade: string | null;
  gradeLabel: string | null;
  item?: ResolvedItem;
  confidence: 'high' | 'medium' | null;
  /** Cards that an unmatched title may mean, the likeliest first. */
  candidates?: ReadonlyArray<{
    item: ResolvedItem;
    /** Why it was not taken: `fits` when it is not the only one. */
    reason: string;
    because: string;
  }>;
};

export type ResolvedItem = {
  id: string;
  /** Site-relative address of its page, at the grade where that has prices. */
  href: string;
  game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
  name: string;
  setName: string | null;
  cardNumber: string | null;
  printedNumber: string | null;
  language: string;
  variation: string | null;
};

export type ListValuation = {
  asOf: string | null;
  /** In the order of the request. */
  lines: ReadonlyArray<ValuedLine>;
  total: {
    /** US cents. */
    valueUsdCents: number;
    rangeUsdCents: {
      /** US cents. */
      low: number;
      /** US cents. */
      high: number;
    } | null;
    pricedLines: number;
    unpricedLines: number;
    pricedQuantity: number;
  };
  receipt: {
    /** `sha256:` and the hash, in hex, of the canonical JSON (RFC 8785) of `{asOf, lines, total}`, with of each line id, gradeLabel, priceUsdCents, quantity, valueUsdCents and receiptUrl, null where absent. */
    digest: string;
    /** Receipts of the lines, each once. */
    urls: ReadonlyArray<string>;
  };
};

export type ValuedLine = {
  ref: string | null;
  /** `unpriced`: the card is known. `ambiguous`: several cards fit. `unknown`: none does. `invalid`: the line cannot be read. */
  status: 'priced' | 'unpriced' | 'ambiguous' | 'unknown' | 'invalid';
  reason: string | null;
  because: string | null;
  card?: CardSummary;
  quantity: number;
  valueUsdCents: number | null;
  receiptUrl: string | null;
  /** Cards that a title may mean, the likeliest first, at its grade; at most 1,000 in an answer. */
  candidates?: ReadonlyArray<CardSummary>;
};

export type IndexTile = {
  game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
  /** How its routes name it: the game, but for a sub-index. */
  slug: string;
  label: string;
  value: number | null;
  base: number;
  deltas: {
    d7: number | null;
    d30: number | null;
    d365: number | null;
  };
  constituentCount: number;
  rebalance: 'Monthly';
  /** Daily closes, oldest first. */
  sparkline: ReadonlyArray<{
    /** ISO 8601 with milliseconds and Z. */
    t: string;
    /** 100 × value. */
    usdCents: number;
    value: number;
  }>;
  newestSaleAt: string | null;
  topMovers: ReadonlyArray<{
    name: string;
    setName: string | null;
    setCode: string | null;
    cardNumber: string | null;
    printedNumber: string | null;
    variation: string | null;
    language: string;
    grade: string;
    href: string;
    /** Plain percent with two decimals: -5.33 is minus 5.33%. */
    deltaPct: number;
  }>;
  updatedAt: string | null;
  status: 'live' | 'computing';
};

export type IndexDetail = IndexTile & {
  windowDays: number;
  baseDate: string | null;
  /** Sales of the baskets in the last `windowDays` days. */
  tradeCountWindow: number;
  methodologyVersion: string;
  asOf: string | null;
  constituents: ReadonlyArray<IndexConstituent>;
  /** Narrower indices of the game; they answer on the same routes. */
  subIndices: ReadonlyArray<{
    slug: string;
    label: string;
  }>;
};

export type IndexConstituent = {
  /** By turnover of the 90 days before the rotation. */
  rank: number;
  id: string;
  name: string;
  setName: string | null;
  setCode: string | null;
  cardNumber: string | null;
  printedNumber: string | null;
  variation: string | null;
  language: string;
  grade: string;
  href: string;
  imageUrl: string | null;
  imageUrlThumb: string | null;
  priceUsdCents: number | null;
  deltaPct: number | null;
  lastSaleAt: string | null;
  /** Share of the index; the weights of a basket add up to 1. */
  weight: number;
  /** Part of the index’s log move since the rotation: weight × ln(price / price at the rotation). */
  contribution: number;
  /** Counted sales of the 90 days before the rotation. */
  turnover90UsdCents: number;
};

export type IndexRebalance = {
  game: string;
  /** UTC day, `YYYY-MM-DD`. */
  date: string;
  levelBefore: number | null;
  levelAfter: number | null;
  divisorBefore: number | null;
  divisorAfter: number | null;
  methodologyVersion: string;
  /** Too few series were eligible: the basket before continues. */
  rotationSkipped: boolean;
  /** Cards that were eligible. */
  eligible: number;
  members: ReadonlyArray<IndexMember>;
  added: ReadonlyArray<IndexMember>;
  removed: ReadonlyArray<IndexMember>;
};

export type IndexMember = {
  rank: number;
  id: string;
  name: string;
  setName: string | null;
  setCode: string | null;
  cardNumber: string | null;
  printedNumber: string | null;
  variation: string | null;
  language: string;
  grade: string;
  href: string;
  imageUrl: string | null;
  imageUrlThumb: string | null;
  /** US cents. */
  priceUsdCents: number;
  /** Share of the index; the weights of a basket add up to 1. */
  weight: number;
};

export type AccuracyRow = {
  group: string;
  /** Scored sales; all figures are null for fewer than 200. */
  n: number;
  mdape: number | null;
  bias: number | null;
  within10: number | null;
  within20: number | null;
  coverage50: number | null;
  coverage80: number | null;
  coverage95: number | null;
  baselines: {
    last: {
      mdape: number | null;
      bias: number | null;
      within10: number | null;
      within20: number | null;
    };
    mean3: {
      mdape: number | null;
      bias: number | null;
      within10: number | null;
      within20: number | null;
    };
    median5: {
      mdape: number | null;
      bias: number | null;
      within10: number | null;
      within20: number | null;
    };
    median30d: {
      mdape: number | null;
      bias: number | null;
      within10: number | null;
      within20: number | null;
    };
    ewma: {
      mdape: number | null;
      bias: number | null;
      within10: number | null;
      within20: number | null;
    };
  } | null;
};

export type Record = {
  origin: string;
  /** `name+hash+base64`, as C2SP signed notes write a key. */
  publicKey: string;
  keys: {
    /** `name+hash+base64`, as C2SP signed notes write a key. */
    first: string;
    rotations: ReadonlyArray<{
      k: 'key';
      /** `name+hash+base64`, as C2SP signed notes write a key. */
      from: string;
      /** `name+hash+base64`, as C2SP signed notes write a key. */
      key: string;
      /** Base64: by `from`, over the canonical JSON of the rest. */
      signature: string;
    }>;
  };
  /** UTC day, `YYYY-MM-DD`. */
  firstDay: string;
  /** UTC day, `YYYY-MM-DD`. */
  lastDay: string;
  /** Days of the chain. */
  size: number;
  /** Signed note: origin, size and root of the chain of days. */
  checkpoint: string;
  /** Version of the price model. */
  model: string;
  /** Its parameters, as canonical JSON. */
  parameters: string;
  days: {
    /** Of a day’s file; `{day}` is YYYY-MM-DD. */
    path: string;
  };
  receipts: {
    /** Of a receipt; `{item}` is an id, `{grade}` as in addresses. */
    path: string;
  };
  methodologyUrl: string;
};

export type Receipt = {
  receipt: 1;
  url: string;
  item: {
    id: string;
    game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
    name: string;
    setName: string | null;
    cardNumber: string | null;
    language: string;
    variation: string | null;
  };
  /** As in addresses: `psa-10`. */
  gradeToken: string;
  /** UTC day, `YYYY-MM-DD`. */
  day: string;
  /** Version of the price model that computed the price. */
  version: string;
  /** Its parameters, as canonical JSON. */
  parameters: string;
  published: {
    priceUsdCents: number | null;
    low: number | null;
    high: number | null;
    confidenceScore: number | null;
    nextSaleRangeUsdCents: {
      /** US cents. */
      low: number;
      /** US cents. */
      high: number;
    } | null;
  };
  /** Lines of files of days. */
  lines: ReadonlyArray<string>;
  /** Of each line: the day whose file has it, its place there, and its audit path. */
  proofs: ReadonlyArray<{
    /** UTC day, `YYYY-MM-DD`. */
    day: string;
    index: number;
    path: ReadonlyArray<string>;
  }>;
  days: ReadonlyArray<{
    /** UTC day, `YYYY-MM-DD`. */
    day: string;
    lines: number;
    /** SHA-256, hex. */
    root: string;
    index: number;
    path: ReadonlyArray<string>;
  }>;
  /** Signed note: the head of the chain at the close of the day. */
  checkpoint: string;
  keys: {
    /** `name+hash+base64`, as C2SP signed notes write a key. */
    first: string;
    rotations: ReadonlyArray<{
      k: 'key';
      /** `name+hash+base64`, as C2SP signed notes write a key. */
      from: string;
      /** `name+hash+base64`, as C2SP signed notes write a key. */
      key: string;
      /** Base64: by `from`, over the canonical JSON of the rest. */
      signature: string;
    }>;
  };
  /** Base64: by the newest key, over the canonical JSON of the rest. */
  signature: string;
};

export type Bulk = {
  bulk: 1;
  /** The close that the prices are of. */
  day: string;
  madeAt: string;
  attribution: {
    text: string;
    url: string;
  };
  dataLicense: string | null;
  files: ReadonlyArray<{
    name: string;
    kind: string;
    format: string;
    month: string | null;
    rows: number;
    bytes: number;
    /** SHA-256 of its bytes, hex. */
    digest: string;
    /** Its bytes never change. */
    url: string;
  }>;
  keys: {
    /** `name+hash+base64`, as C2SP signed notes write a key. */
    first: string;
    rotations: ReadonlyArray<{
      k: 'key';
      /** `name+hash+base64`, as C2SP signed notes write a key. */
      from: string;
      /** `name+hash+base64`, as C2SP signed notes write a key. */
      key: string;
      /** Base64: by `from`, over the canonical JSON of the rest. */
      signature: string;
    }>;
  };
  /** Base64: by the newest key, over the canonical JSON of the rest. */
  signature: string;
};

/** What each call takes and answers. */

export type Calls = {
  /** Health: the process and its database answer, and there is room to write. GET /health */
  healthUnprefixed: {
    params: object;
    body: undefined;
    answer: {
      ok: boolean;
      db: boolean;
      /** There is room on the disk of the data folder and the embedded database. */
      disk: boolean;
      /** Whether limits are on. */
      rateLimit: boolean;
      uptimeSeconds: number;
      /** The newest day whose prices are closed (UTC). */
      closedDay: string | null;
    };
  };
  /** Health: the process and its database answer, and there is room to write. GET /v1/health */
  health: {
    params: object;
    body: undefined;
    answer: {
      ok: boolean;
      db: boolean;
      /** There is room on the disk of the data folder and the embedded database. */
      disk: boolean;
      /** Whether limits are on. */
      rateLimit: boolean;
      uptimeSeconds: number;
      /** The newest day whose prices are closed (UTC). */
      closedDay: string | null;
    };
  };
  /** Readiness: whether to send requests to this process. GET /ready */
  readyUnprefixed: {
    params: object;
    body: undefined;
    answer: {
      ready: boolean;
      /** It answers. */
      database: boolean;
      /** The database has every migration of this program. */
      migrations: boolean;
      /** The data folder can be read: it has the pictures and the bulk files. */
      files: boolean;
      /** The search index is in memory. */
      search: boolean;
      /** The vectors of pictures are in memory. */
      vectors: boolean;
    };
  };
  /** How fresh the service is: ledger, closed day, graders, sources and watched folders; costs nothing. GET /v1/status */
  status: {
    params: object;
    body: undefined;
    answer: {
      asOf: string;
      ledger: {
        newestSaleAt: string | null;
        /** When an import or a crawl last ended. */
        newestImportAt: string | null;
      };
      /** The newest day whose prices are closed (UTC). */
      closedDay: string | null;
      /** When `mintmark backup` or a scheduled backup last succeeded. */
      lastBackupAt: string | null;
      graders: ReadonlyArray<{
        id: string;
        name: string;
        kind: string;
        /** `failing`: its last answer was a fault. `resting`: not called for a while, after faults or since the day’s budget is spent. `unused`: never called. */
        state: 'ok' | 'failing' | 'resting' | 'unused';
        lastSuccessAt: string | null;
        lastFaultAt: string | null;
        lastFaultReason: string | null;
        /** Since 00:00 UTC, retries included. */
        callsToday: number;
        budgetPerDay: number | null;
        budgetLeft: number | null;
        /** Median of its last answers. */
        p50Ms: number | null;
      }>;
      sources: ReadonlyArray<{
        id: string;
        name: string;
        kind: string;
        /** `failing`: its last answer was a fault. `resting`: not called for a while, after faults or since the day’s budget is spent. `unused`: never called. */
        state: 'ok' | 'failing' | 'resting' | 'unused';
        lastSuccessAt: string | null;
        lastFaultAt: string | null;
        lastFaultReason: string | null;
        /** Since 00:00 UTC, retries included. */
        callsToday: number;
        budgetPerDay: number | null;
        budgetLeft: number | null;
        /** Median of its last answers. */
        p50Ms: number | null;
      }>;
      /** Folders whose files are imported by themselves. */
      folders: ReadonlyArray<{
        id: string;
        name: string;
        newestFileAt: string | null;
        /** Files that could not be imported and were not corrected since, the newest first; 20 at most. */
        rejected: ReadonlyArray<{
          file: string;
          problem: string;
          at: string;
        }>;
      }>;
      /** What an operator has to check, one sentence each. */
      warnings: ReadonlyArray<string>;
    };
  };
  /** What is left of your budgets; costs nothing. GET /v1/usage */
  usage: {
    params: object;
    body: undefined;
    answer: {
      tier: 'partner' | 'public';
      policies: ReadonlyArray<{
        policy: string;
        limit: number;
        /** A lower bound while other requests of yours are under way. */
        remaining: number;
        resetsAt: string;
      }>;
    };
  };
  /** Apply for a partner key; a person answers by e-mail. POST /v1/partners/apply */
  applyForPartnerKey: {
    params: object;
    body: {
      /** the name of the shop: one line with a letter or digit in it, without web addresses */
      shopName: string;
      /** where it sells: one line with a letter or digit in it, without web addresses */
      region: string;
      /** how it sells, such as shop, auctions or online: one line with a letter or digit in it, without web addresses */
      salesFormat: string;
      /** an e-mail address in ASCII, such as name@shop.example */
      contactEmail: string;
    };
    answer: {
      ok: true;
      /** What to name when you ask about it. */
      id: string;
    };
  };
  /** Report wrong data; a person reviews it. POST /v1/report */
  reportIssue: {
    params: object;
    body: {
      /** what is wrong: plain text with at most 3 web addresses */
      message: string;
      /** one of wrong_price, wrong_card, broken_link, stale and other */
      category?: 'wrong_price' | 'wrong_card' | 'broken_link' | 'stale' | 'other';
      /** an http or https address of the public web; it is shown to a person and never fetched */
      sourceUrl?: string;
      /** the href of a card: /card/{game}/{set}/{card} */
      cardHref?: string;
      /** an e-mail address in ASCII, such as name@shop.example */
      contactEmail?: string;
    };
    answer: {
      ok: true;
      /** What to name when you ask about it. */
      id: string;
    };
  };
  /** This API as an OpenAPI 3.1 document. GET /v1/openapi.json */
  openapi: {
    params: object;
    body: undefined;
    answer: {
      openapi: string;
    };
  };
  /** This API as an OpenAPI 3.2 document, which describes the events of streams too. GET /v1/openapi-3.2.json */
  openapi32: {
    params: object;
    body: undefined;
    answer: {
      openapi: string;
    };
  };
  /** Summaries of many cards in one request, in the order requested. GET /v1/items/summaries */
  summaries: {
    params: {
      /** Comma-separated catalog ids, at most 300; unknown and withdrawn ones are left out. */
      ids?: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: ReadonlyArray<CardSummary>;
  };
  /** Top movers of the indexed games, by largest 7-day price move that rests on sales of its own. GET /v1/items/featured */
  featured: {
    params: {
      /** Cards at most: 1 to 48, 12 by default. */
      limit?: number;
    };
    body: undefined;
    answer: {
      cards: ReadonlyArray<{
        id: string;
        upstreamItemId: string | null;
        game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
        type: 'POKEMON' | 'ONE_PIECE' | 'SPORTS' | 'LORCANA' | 'DIGIMON' | 'RIFTBOUND' | 'MTG' | 'YUGIOH' | 'GUNDAM';
        name: string;
        setName: string | null;
        setCode: string | null;
        cardNumber: string | null;
        printedNumber: string | null;
        variation: string | null;
        rarity: string | null;
        language: string | null;
        year: number | null;
        imageUrl: string | null;
        imageUrlThumb: string | null;
        company: 'PSA' | 'BGS' | 'CGC' | 'RAW' | null;
        grade: string | null;
        gradeLabel: string | null;
        priceUsdCents: number | null;
        priceRangeUsdCents: {
          /** US cents. */
          low: number;
          /** US cents. */
          high: number;
        } | null;
        nextSaleRangeUsdCents: {
          /** US cents. */
          low: number;
          /** US cents. */
          high: number;
        } | null;
        /** The last move of the price rests on one source and day that surprised. Until a second sale confirms it, both ranges also cover the price before it. */
        unconfirmedMove: boolean;
        deltaPct: number | null;
        confidence: 'prime' | 'high' | 'medium' | 'low' | null;
        confidenceScore: number | null;
        /** Priced without a sale of its own. */
        estimated: boolean;
        asOf: string | null;
        updatedAt: string | null;
        lastSaleAt: string | null;
        /** Weekly US cents, oldest first. */
        spark: ReadonlyArray<number>;
        /** Present where the price is withheld: its sales may be those of another card, as `/v1/audit` shows. */
        reason?: 'identity_suspect';
        /** Empty when it has none; absent when they could not be read. */
        tags?: ReadonlyArray<{
          kind: string;
          slug: string;
          name: string;
        }>;
        /** Site-relative address of its page. */
        href: string;
        /** 7; 14 or 30 where fewer cards moved in seven days than were requested. */
        moveWindowDays: number;
        /** Plain percent with two decimals: -5.33 is minus 5.33%. */
        movePct: number;
        /** Sales at this grade in the window that count with full weight. */
        saleCount: number;
        /** US cents. */
        lastSaleUsdCents: number;
      }>;
    };
  };
  /** A card at one grade. GET /v1/items/{game}/{set}/{item} */
  detailBySlug: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game: string;
      /** Set slug: the second path segment of a card href. */
      set: string;
      /** Card slug: the last path segment of a card href. */
      item: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: CardDetail;
  };
  /** A card and every tracked grade of it. GET /v1/items/{game}/{set}/{item}/overview */
  overviewBySlug: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game: string;
      /** Set slug: the second path segment of a card href. */
      set: string;
      /** Card slug: the last path segment of a card href. */
      item: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: Overview;
  };
  /** Recorded sales of a card, newest first, rejected ones with the reason. GET /v1/items/{game}/{set}/{item}/trades */
  tradesBySlug: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game: string;
      /** Set slug: the second path segment of a card href. */
      set: string;
      /** Card slug: the last path segment of a card href. */
      item: string;
      /** A source id as in `sourceCounts`: lower-case letters, digits and dashes, at most 40. Only its sales are listed. */
      source?: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `grade`: one grade (default); `all`: every grade (default where the slug names no grade). */
      scope?: 'grade' | 'all';
      /** Sales at most: 1 to 200, 50 by default. */
      limit?: number;
      /** `nextCursor` of the previous page, with the same filters; empty for the first page. */
      after?: string;
    };
    body: undefined;
    answer: {
      trades: ReadonlyArray<{
        source: string;
        bucket: string;
        category: string;
        displayName: string;
        /** ISO 8601 with milliseconds and Z. */
        observedAt: string;
        kind: 'transaction';
        priceUsdCents: number | null;
        /** In the minor unit of `currency`, as sold. */
        priceMinor: number;
        currency: string;
        detail: string | null;
        sourceUrl: string | null;
        company: string;
        grade: string;
        gradeLabel: string;
        /** `auction` also where the source does not say. */
        saleType: 'auction' | 'fixed' | 'offer' | 'house_auction' | 'shop';
        certHash: string | null;
        disposition: 'used' | 'downweighted' | 'refused';
        dispositionReason: string | null;
      }>;
      /** Trades that match the filters, on all pages. */
      total: number;
      /** The same by source. */
      sourceCounts: {
        [name: string]: number;
      };
      hasMore: boolean;
      nextCursor: string | null;
    };
  };
  /** Daily average prices of completed sales and, separately, of listings. GET /v1/items/{game}/{set}/{item}/series */
  seriesBySlug: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game: string;
      /** Set slug: the second path segment of a card href. */
      set: string;
      /** Card slug: the last path segment of a card href. */
      item: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
    };
    body: undefined;
    answer: {
      windowDays: number;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        /** US cents. */
        usdCents: number;
        n: number;
        kind: 'transaction' | 'listing';
        /** `RAW`: ungraded. */
        company: 'PSA' | 'BGS' | 'CGC' | 'RAW';
        grade: string;
        gradeLabel: string;
      }>;
    };
  };
  /** The reference price of each day with its range, and that day’s sales by source. GET /v1/items/{game}/{set}/{item}/fmv-series */
  fmvSeriesBySlug: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game: string;
      /** Set slug: the second path segment of a card href. */
      set: string;
      /** Card slug: the last path segment of a card href. */
      item: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: {
      /** The day of the parameter `asOf`; absent without it. */
      asOf?: string;
      windowDays: number;
      /** Days of sales that observation counts look back. */
      fmvWindowDays: number;
      gradeLabel: string | null;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        usdCents: number | null;
        /** Sales of the day; 0 carries the line on. */
        n: number;
        lowUsdCents: number | null;
        highUsdCents: number | null;
        nextSaleRangeUsdCents: {
          /** US cents. */
          low: number;
          /** US cents. */
          high: number;
        } | null;
        /** Of the model that published the day. */
        scorerVersion: string;
        bySource: ReadonlyArray<{
          source: string;
          bucket: string;
          category: string;
          displayName: string;
          /** US cents. */
          usdCents: number;
          n: number;
        }>;
      }>;
      series: ReadonlyArray<{
        /** The reference price, then plain averages of the sales of the last seven days. */
        method: 'model' | 'median' | 'mean' | 'vwap';
        scorerVersion: string;
        label: string;
        points: ReadonlyArray<{
          /** ISO 8601 with milliseconds and Z. */
          t: string;
          usdCents: number | null;
        }>;
      }>;
    };
  };
  /** A card at one grade. GET /v1/items/by-id/{id} */
  detailById: {
    params: {
      /** Catalog id (UUID). */
      id: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: CardDetail;
  };
  /** A card and every tracked grade of it. GET /v1/items/by-id/{id}/overview */
  overviewById: {
    params: {
      /** Catalog id (UUID). */
      id: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: Overview;
  };
  /** Recorded sales of a card, newest first, rejected ones with the reason. GET /v1/items/by-id/{id}/trades */
  tradesById: {
    params: {
      /** Catalog id (UUID). */
      id: string;
      /** A source id as in `sourceCounts`: lower-case letters, digits and dashes, at most 40. Only its sales are listed. */
      source?: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `grade`: one grade (default); `all`: every grade (default where the slug names no grade). */
      scope?: 'grade' | 'all';
      /** Sales at most: 1 to 200, 50 by default. */
      limit?: number;
      /** `nextCursor` of the previous page, with the same filters; empty for the first page. */
      after?: string;
    };
    body: undefined;
    answer: {
      trades: ReadonlyArray<{
        source: string;
        bucket: string;
        category: string;
        displayName: string;
        /** ISO 8601 with milliseconds and Z. */
        observedAt: string;
        kind: 'transaction';
        priceUsdCents: number | null;
        /** In the minor unit of `currency`, as sold. */
        priceMinor: number;
        currency: string;
        detail: string | null;
        sourceUrl: string | null;
        company: string;
        grade: string;
        gradeLabel: string;
        /** `auction` also where the source does not say. */
        saleType: 'auction' | 'fixed' | 'offer' | 'house_auction' | 'shop';
        certHash: string | null;
        disposition: 'used' | 'downweighted' | 'refused';
        dispositionReason: string | null;
      }>;
      /** Trades that match the filters, on all pages. */
      total: number;
      /** The same by source. */
      sourceCounts: {
        [name: string]: number;
      };
      hasMore: boolean;
      nextCursor: string | null;
    };
  };
  /** Daily average prices of completed sales and, separately, of listings. GET /v1/items/by-id/{id}/series */
  seriesById: {
    params: {
      /** Catalog id (UUID). */
      id: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
    };
    body: undefined;
    answer: {
      windowDays: number;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        /** US cents. */
        usdCents: number;
        n: number;
        kind: 'transaction' | 'listing';
        /** `RAW`: ungraded. */
        company: 'PSA' | 'BGS' | 'CGC' | 'RAW';
        grade: string;
        gradeLabel: string;
      }>;
    };
  };
  /** The reference price of each day with its range, and that day’s sales by source. GET /v1/items/by-id/{id}/fmv-series */
  fmvSeriesById: {
    params: {
      /** Catalog id (UUID). */
      id: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: {
      /** The day of the parameter `asOf`; absent without it. */
      asOf?: string;
      windowDays: number;
      /** Days of sales that observation counts look back. */
      fmvWindowDays: number;
      gradeLabel: string | null;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        usdCents: number | null;
        /** Sales of the day; 0 carries the line on. */
        n: number;
        lowUsdCents: number | null;
        highUsdCents: number | null;
        nextSaleRangeUsdCents: {
          /** US cents. */
          low: number;
          /** US cents. */
          high: number;
        } | null;
        /** Of the model that published the day. */
        scorerVersion: string;
        bySource: ReadonlyArray<{
          source: string;
          bucket: string;
          category: string;
          displayName: string;
          /** US cents. */
          usdCents: number;
          n: number;
        }>;
      }>;
      series: ReadonlyArray<{
        /** The reference price, then plain averages of the sales of the last seven days. */
        method: 'model' | 'median' | 'mean' | 'vwap';
        scorerVersion: string;
        label: string;
        points: ReadonlyArray<{
          /** ISO 8601 with milliseconds and Z. */
          t: string;
          usdCents: number | null;
        }>;
      }>;
    };
  };
  /** The page of an upstream inventory id. GET /v1/items/by-upstream-id/{rid} */
  upstreamLink: {
    params: {
      /** Upstream inventory id. */
      rid: string;
    };
    body: undefined;
    answer: {
      /** Site-relative /card/... link, not an API path. */
      href: string;
    };
  };
  /** A card at one grade. GET /v1/items/by-upstream-id/{rid}/detail */
  detailByUpstreamId: {
    params: {
      /** Upstream inventory id. */
      rid: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: CardDetail;
  };
  /** A card and every tracked grade of it. GET /v1/items/by-upstream-id/{rid}/overview */
  overviewByUpstreamId: {
    params: {
      /** Upstream inventory id. */
      rid: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: Overview;
  };
  /** Recorded sales of a card, newest first, rejected ones with the reason. GET /v1/items/by-upstream-id/{rid}/trades */
  tradesByUpstreamId: {
    params: {
      /** Upstream inventory id. */
      rid: string;
      /** A source id as in `sourceCounts`: lower-case letters, digits and dashes, at most 40. Only its sales are listed. */
      source?: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `grade`: one grade (default); `all`: every grade (default where the slug names no grade). */
      scope?: 'grade' | 'all';
      /** Sales at most: 1 to 200, 50 by default. */
      limit?: number;
      /** `nextCursor` of the previous page, with the same filters; empty for the first page. */
      after?: string;
    };
    body: undefined;
    answer: {
      trades: ReadonlyArray<{
        source: string;
        bucket: string;
        category: string;
        displayName: string;
        /** ISO 8601 with milliseconds and Z. */
        observedAt: string;
        kind: 'transaction';
        priceUsdCents: number | null;
        /** In the minor unit of `currency`, as sold. */
        priceMinor: number;
        currency: string;
        detail: string | null;
        sourceUrl: string | null;
        company: string;
        grade: string;
        gradeLabel: string;
        /** `auction` also where the source does not say. */
        saleType: 'auction' | 'fixed' | 'offer' | 'house_auction' | 'shop';
        certHash: string | null;
        disposition: 'used' | 'downweighted' | 'refused';
        dispositionReason: string | null;
      }>;
      /** Trades that match the filters, on all pages. */
      total: number;
      /** The same by source. */
      sourceCounts: {
        [name: string]: number;
      };
      hasMore: boolean;
      nextCursor: string | null;
    };
  };
  /** Daily average prices of completed sales and, separately, of listings. GET /v1/items/by-upstream-id/{rid}/series */
  seriesByUpstreamId: {
    params: {
      /** Upstream inventory id. */
      rid: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
    };
    body: undefined;
    answer: {
      windowDays: number;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        /** US cents. */
        usdCents: number;
        n: number;
        kind: 'transaction' | 'listing';
        /** `RAW`: ungraded. */
        company: 'PSA' | 'BGS' | 'CGC' | 'RAW';
        grade: string;
        gradeLabel: string;
      }>;
    };
  };
  /** The reference price of each day with its range, and that day’s sales by source. GET /v1/items/by-upstream-id/{rid}/fmv-series */
  fmvSeriesByUpstreamId: {
    params: {
      /** Upstream inventory id. */
      rid: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: {
      /** The day of the parameter `asOf`; absent without it. */
      asOf?: string;
      windowDays: number;
      /** Days of sales that observation counts look back. */
      fmvWindowDays: number;
      gradeLabel: string | null;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        usdCents: number | null;
        /** Sales of the day; 0 carries the line on. */
        n: number;
        lowUsdCents: number | null;
        highUsdCents: number | null;
        nextSaleRangeUsdCents: {
          /** US cents. */
          low: number;
          /** US cents. */
          high: number;
        } | null;
        /** Of the model that published the day. */
        scorerVersion: string;
        bySource: ReadonlyArray<{
          source: string;
          bucket: string;
          category: string;
          displayName: string;
          /** US cents. */
          usdCents: number;
          n: number;
        }>;
      }>;
      series: ReadonlyArray<{
        /** The reference price, then plain averages of the sales of the last seven days. */
        method: 'model' | 'median' | 'mean' | 'vwap';
        scorerVersion: string;
        label: string;
        points: ReadonlyArray<{
          /** ISO 8601 with milliseconds and Z. */
          t: string;
          usdCents: number | null;
        }>;
      }>;
    };
  };
  /** The page of an id that another program uses. GET /v1/items/by-external-id/{space}/{id} */
  externalLink: {
    params: {
      /** Whose id it is: `scryfall`, `mtgjson`, `tcgplayer`, `cardmarket`, `tcgdex`, …; `externalIds` of a card has them. */
      space: string;
      /** The id as its space publishes it. */
      id: string;
      /** Of several printings with the id, the one of this `variation`; `plain` is the one without. */
      variation?: string;
      /** Of several printings with the id, the one in this `language`. */
      language?: string;
    };
    body: undefined;
    answer: {
      /** Site-relative /card/... link, not an API path. */
      href: string;
    };
  };
  /** A card at one grade. GET /v1/items/by-external-id/{space}/{id}/detail */
  detailByExternalId: {
    params: {
      /** Whose id it is: `scryfall`, `mtgjson`, `tcgplayer`, `cardmarket`, `tcgdex`, …; `externalIds` of a card has them. */
      space: string;
      /** The id as its space publishes it. */
      id: string;
      /** Of several printings with the id, the one of this `variation`; `plain` is the one without. */
      variation?: string;
      /** Of several printings with the id, the one in this `language`. */
      language?: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: CardDetail;
  };
  /** A card and every tracked grade of it. GET /v1/items/by-external-id/{space}/{id}/overview */
  overviewByExternalId: {
    params: {
      /** Whose id it is: `scryfall`, `mtgjson`, `tcgplayer`, `cardmarket`, `tcgdex`, …; `externalIds` of a card has them. */
      space: string;
      /** The id as its space publishes it. */
      id: string;
      /** Of several printings with the id, the one of this `variation`; `plain` is the one without. */
      variation?: string;
      /** Of several printings with the id, the one in this `language`. */
      language?: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: Overview;
  };
  /** Recorded sales of a card, newest first, rejected ones with the reason. GET /v1/items/by-external-id/{space}/{id}/trades */
  tradesByExternalId: {
    params: {
      /** Whose id it is: `scryfall`, `mtgjson`, `tcgplayer`, `cardmarket`, `tcgdex`, …; `externalIds` of a card has them. */
      space: string;
      /** The id as its space publishes it. */
      id: string;
      /** Of several printings with the id, the one of this `variation`; `plain` is the one without. */
      variation?: string;
      /** Of several printings with the id, the one in this `language`. */
      language?: string;
      /** A source id as in `sourceCounts`: lower-case letters, digits and dashes, at most 40. Only its sales are listed. */
      source?: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `grade`: one grade (default); `all`: every grade (default where the slug names no grade). */
      scope?: 'grade' | 'all';
      /** Sales at most: 1 to 200, 50 by default. */
      limit?: number;
      /** `nextCursor` of the previous page, with the same filters; empty for the first page. */
      after?: string;
    };
    body: undefined;
    answer: {
      trades: ReadonlyArray<{
        source: string;
        bucket: string;
        category: string;
        displayName: string;
        /** ISO 8601 with milliseconds and Z. */
        observedAt: string;
        kind: 'transaction';
        priceUsdCents: number | null;
        /** In the minor unit of `currency`, as sold. */
        priceMinor: number;
        currency: string;
        detail: string | null;
        sourceUrl: string | null;
        company: string;
        grade: string;
        gradeLabel: string;
        /** `auction` also where the source does not say. */
        saleType: 'auction' | 'fixed' | 'offer' | 'house_auction' | 'shop';
        certHash: string | null;
        disposition: 'used' | 'downweighted' | 'refused';
        dispositionReason: string | null;
      }>;
      /** Trades that match the filters, on all pages. */
      total: number;
      /** The same by source. */
      sourceCounts: {
        [name: string]: number;
      };
      hasMore: boolean;
      nextCursor: string | null;
    };
  };
  /** Daily average prices of completed sales and, separately, of listings. GET /v1/items/by-external-id/{space}/{id}/series */
  seriesByExternalId: {
    params: {
      /** Whose id it is: `scryfall`, `mtgjson`, `tcgplayer`, `cardmarket`, `tcgdex`, …; `externalIds` of a card has them. */
      space: string;
      /** The id as its space publishes it. */
      id: string;
      /** Of several printings with the id, the one of this `variation`; `plain` is the one without. */
      variation?: string;
      /** Of several printings with the id, the one in this `language`. */
      language?: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
    };
    body: undefined;
    answer: {
      windowDays: number;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        /** US cents. */
        usdCents: number;
        n: number;
        kind: 'transaction' | 'listing';
        /** `RAW`: ungraded. */
        company: 'PSA' | 'BGS' | 'CGC' | 'RAW';
        grade: string;
        gradeLabel: string;
      }>;
    };
  };
  /** The reference price of each day with its range, and that day’s sales by source. GET /v1/items/by-external-id/{space}/{id}/fmv-series */
  fmvSeriesByExternalId: {
    params: {
      /** Whose id it is: `scryfall`, `mtgjson`, `tcgplayer`, `cardmarket`, `tcgdex`, …; `externalIds` of a card has them. */
      space: string;
      /** The id as its space publishes it. */
      id: string;
      /** Of several printings with the id, the one of this `variation`; `plain` is the one without. */
      variation?: string;
      /** Of several printings with the id, the one in this `language`. */
      language?: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: {
      /** The day of the parameter `asOf`; absent without it. */
      asOf?: string;
      windowDays: number;
      /** Days of sales that observation counts look back. */
      fmvWindowDays: number;
      gradeLabel: string | null;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        usdCents: number | null;
        /** Sales of the day; 0 carries the line on. */
        n: number;
        lowUsdCents: number | null;
        highUsdCents: number | null;
        nextSaleRangeUsdCents: {
          /** US cents. */
          low: number;
          /** US cents. */
          high: number;
        } | null;
        /** Of the model that published the day. */
        scorerVersion: string;
        bySource: ReadonlyArray<{
          source: string;
          bucket: string;
          category: string;
          displayName: string;
          /** US cents. */
          usdCents: number;
          n: number;
        }>;
      }>;
      series: ReadonlyArray<{
        /** The reference price, then plain averages of the sales of the last seven days. */
        method: 'model' | 'median' | 'mean' | 'vwap';
        scorerVersion: string;
        label: string;
        points: ReadonlyArray<{
          /** ISO 8601 with milliseconds and Z. */
          t: string;
          usdCents: number | null;
        }>;
      }>;
    };
  };
  /** More cards from the same set. GET /v1/items/{game}/{set}/{item}/similar */
  similarBySlug: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game: string;
      /** Set slug: the second path segment of a card href. */
      set: string;
      /** Card slug: the last path segment of a card href. */
      item: string;
    };
    body: undefined;
    answer: {
      similar: ReadonlyArray<CardSummary>;
    };
  };
  /** The nine games, and what the catalog has of each. GET /v1/games */
  games: {
    params: object;
    body: undefined;
    answer: {
      games: ReadonlyArray<{
        game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
        label: string;
        /** As `type` of its cards. */
        type: string;
        /** Has a public market index. */
        indexed: boolean;
        /** Sets with a card. */
        setCount: number;
        itemCount: number;
        /** Of these, with an image. */
        imagedCount: number;
        /** Of these, with a sale that counts for a price. */
        soldCount: number;
        /** Most cards first. */
        languages: ReadonlyArray<{
          language: string;
          itemCount: number;
        }>;
        newestSetYear: number | null;
      }>;
    };
  };
  /** Every set of a game, newest first. GET /v1/sets */
  setList: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
    };
    body: undefined;
    answer: {
      game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
      sets: ReadonlyArray<{
        /** Second path segment of its cards’ addresses. */
        setSegment: string;
        setName: string;
        setCode: string | null;
        language: string | null;
        year: number | null;
        cardCount: number;
        /** Of these, with an image. */
        imagedCount: number;
        /** Of these, with a sale that counts for a price. */
        soldCount: number;
        href: string;
      }>;
    };
  };
  /** Every card of a set, highest price first. GET /v1/sets/{game}/{set} */
  set: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game: string;
      /** Set slug: the second path segment of a card href. */
      set: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: {
      /** The day of the parameter `asOf`; absent without it. */
      asOf?: string;
      game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
      setName: string;
      setCode: string | null;
      language: string | null;
      setSegment: string;
      href: string;
      cardCount: number;
      cards: ReadonlyArray<CardSummary>;
    };
  };
  /** Cards by words, tags and characters; the right printing first. GET /v1/search */
  search: {
    params: {
      /** Words in any order: name, set, number, language, year, variation; a grade, such as PSA 10, BGS 9.5 or raw, is what the cards are shown at. Up to 80 characters, at least 2 without a tag or a character. */
      q?: string;
      /** `kind:slug`; repeat it for cards that have all of them. At most 8. */
      tag?: string | ReadonlyArray<string>;
      /** A character by slug or name; an unknown one is read as words. */
      character?: string;
      /** Narrows tags and the character; without either it does nothing. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
      /** Cards at most; with tags, the size of a page: 1 to 30, 12 by default. */
      limit?: number;
      /** The `nextCursor` of the page before, with the same query. */
      after?: string;
    };
    body: undefined;
    answer: {
      /** The words as they were sent. */
      query: string;
      results: ReadonlyArray<SearchHit>;
      /** The query reads as the cert of a slab. */
      cert?: {
        /** Site-relative address of the page of the slab. */
        href: string;
        /** Site-relative address of its lookup in the API. */
        api: string;
      };
      nextCursor?: string | null;
      /** With tags only. */
      hasMore?: boolean;
    };
  };
  /** What a search may mean while it is being typed: cards, each once however many printings it has. GET /v1/search/suggest */
  suggest: {
    params: {
      /** What has been typed so far, 2 to 80 characters; the last word may be unfinished. */
      q: string;
      /** Suggestions at most: 1 to 10, 10 by default. */
      limit?: number;
    };
    body: undefined;
    answer: {
      query: string;
      suggestions: ReadonlyArray<{
        /** A query that finds the card. */
        text: string;
        id: string;
        game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
        name: string;
        setName: string;
        cardNumber: string | null;
        printedNumber: string | null;
        variation: string | null;
        language: string;
        imageUrlThumb: string | null;
        href: string;
      }>;
    };
  };
  /** The encoder behind searches by embedding, and how to prove that another gives the same vectors. GET /v1/search/embedding-model */
  embeddingModel: { params: object; body: undefined; answer: EmbeddingModel };
  /** The card in a photo that never leaves the device: by its embedding. POST /v1/search/by-embedding */
  searchByEmbedding: {
    params: {
      /** `1` or `true`: with the cards themselves, as `items`. */
      hydrate?: '1' | 'true' | '0' | 'false';
      /** Cards at most: 1 to 50, 10 by default. */
      limit?: number;
      /** Cards of this game only. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
    };
    body: {
      /** 512 numbers of length 1 (within a thousandth), from mobileclip-s2; see /v1/search/embedding-model. */
      embedding: ReadonlyArray<number>;
      /** As in the query; `null` and `false` are no. */
      hydrate?: boolean | '1' | 'true' | '0' | 'false' | number | null;
      /** As in the query. */
      limit?: number;
    };
    answer: ImageSearch;
  };
  /** The card in a photo. POST /v1/search/by-image */
  searchByImage: {
    params: {
      /** `1` or `true`: with the cards themselves, as `items`. */
      hydrate?: '1' | 'true' | '0' | 'false';
      /** Cards at most: 1 to 50, 10 by default. */
      limit?: number;
      /** Cards of this game only. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
    };
    body: {
      /** JPEG, PNG, WebP or AVIF, at most 15 MB. */
      file: Blob;
    };
    answer: ImageSearch;
  };
  /** The card in each of several photos, as one request of the budget. POST /v1/search/by-image/bulk */
  searchByImages: {
    params: {
      /** `1` or `true`: with the cards themselves, as `items`. */
      hydrate?: '1' | 'true' | '0' | 'false';
      /** Cards at most: 1 to 50, 10 by default. */
      limit?: number;
      /** Cards of this game only. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
    };
    body: {
      items: ReadonlyArray<Blob>;
    };
    answer: {
      /** In the order of the parts: what was found, or what is wrong with that photo. */
      results: ReadonlyArray<ImageSearch | Problem>;
    };
  };
  /** Where cards and slabs are in a photo, without looking for them in the catalog. POST /v1/search/detect-items */
  detectItems: {
    params: object;
    body: {
      /** JPEG, PNG, WebP or AVIF, at most 15 MB. */
      file: Blob;
    };
    answer: {
      /** Of the upright photo, pixels. */
      width: number;
      height: number;
      /** The likeliest first; within the photo, in its pixels. */
      boxes: ReadonlyArray<{
        x: number;
        y: number;
        width: number;
        height: number;
        /** Corners [x, y], clockwise from the one that shows as top left; outside of the photo where the card is cut off. */
        quad: ReadonlyArray<ReadonlyArray<number>>;
        /** How sure it is that this is a card, 0 to 1. */
        score: number;
        /** A slab is one box, around its plastic. */
        kind: 'card' | 'slab';
        /** Of a slab: the card in it. */
        card?: {
          x: number;
          y: number;
          width: number;
          height: number;
          /** Corners [x, y], clockwise from the one that shows as top left; outside of the photo where the card is cut off. */
          quad: ReadonlyArray<ReadonlyArray<number>>;
        };
      }>;
    };
  };
  /** Tags of a kind that items have: choices for the search parameter `tag`. GET /v1/tags */
  tags: {
    params: {
      /** A facet, such as `mood`, `color` or `character`: lower-case letters, digits and dashes. */
      kind: string;
      /** A prefix of the name or slug, in any case, at most 120 characters without control characters. `%`, `_` and `\` are literal. */
      q?: string;
      /** Only tags that items of this game have: global ones and its own. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
      /** Choices at most: 1 to 100, 50 by default. */
      limit?: number;
    };
    body: undefined;
    answer: {
      /** The slug that `q` is exactly first, then by how many items have it. */
      tags: ReadonlyArray<{
        kind: string;
        slug: string;
        /** English. */
        name: string;
      }>;
      /** There are more choices: ask for a longer prefix. */
      hasMore: boolean;
    };
  };
  /** The newest sales over all cards, newest first. GET /v1/trades/recent */
  recentTrades: {
    params: {
      /** Sales at most: 1 to 50, 12 by default. */
      limit?: number;
    };
    body: undefined;
    answer: {
      trades: ReadonlyArray<
        {
          source: string;
          bucket: string;
          category: string;
          displayName: string;
          /** ISO 8601 with milliseconds and Z. */
          observedAt: string;
          kind: 'transaction';
          priceUsdCents: number | null;
          /** In the minor unit of `currency`, as sold. */
          priceMinor: number;
          currency: string;
          detail: string | null;
          sourceUrl: string | null;
          company: string;
          grade: string;
          gradeLabel: string;
          /** `auction` also where the source does not say. */
          saleType: 'auction' | 'fixed' | 'offer' | 'house_auction' | 'shop';
          certHash: string | null;
          disposition: 'used' | 'downweighted' | 'refused';
          dispositionReason: string | null;
        } & {
          /** Id of the trade. */
          id: string;
          card: {
            id: string;
            game:
              | 'pokemon'
              | 'one-piece'
              | 'sports'
              | 'lorcana'
              | 'digimon'
              | 'riftbound'
              | 'mtg'
              | 'yugioh'
              | 'gundam';
            name: string;
            grade: string;
            gradeLabel: string;
            setName: string;
            setCode: string | null;
            cardNumber: string | null;
            printedNumber: string | null;
            variation: string | null;
            language: string;
            href: string;
            imageUrl: string | null;
            imageUrlThumb: string | null;
          };
        }
      >;
    };
  };
  /** Which prices each close changed and why, in the order of days and cards: a cursor that goes on with each close. GET /v1/changes */
  changes: {
    params: {
      /** `nextCursor` of an earlier answer, or a day: what the closes after it changed. Without it: what the last close changed. */
      after?: string;
      /** Cards at most, each with every grade that changed: 1 to 100, 50 by default. */
      limit?: number;
      /** `1`: also prices that only followed their market. Every card that sold then counts towards `limit`. */
      market?: '0' | '1';
    };
    body: undefined;
    answer: {
      /** By day, card and grade. A page reads 31 closes at most, so it can be empty and have more. */
      changes: ReadonlyArray<{
        /** The close, a UTC day. */
        day: string;
        /** Id of the card. */
        id: string;
        /** The grade as in addresses: `psa-10`. */
        gradeToken: string;
        /** `RAW`: ungraded. */
        company: 'PSA' | 'BGS' | 'CGC' | 'RAW';
        grade: string;
        gradeLabel: string;
        previousUsdCents: number | null;
        priceUsdCents: number | null;
        priceRange: {
          /** US cents. */
          low: number;
          /** US cents. */
          high: number;
        } | null;
        /** Why: sales of the card came in; one of them went out (unpaid, corrected, a duplicate); it only followed its market (with `market=1`); the card came back to the catalog, or was withdrawn from it. */
        cause: string;
        /** Sales of this grade that the close took in. */
        salesTaken: number;
        /** Sales of this grade that the close took out. */
        salesVoided: number;
        /** Site-relative address of the page of this card and grade. */
        href: string;
      }>;
      /** More has been closed already: ask again at once. */
      hasMore: boolean;
      /** `after` of the next page, with the same `market`; on the last one, of the next close. */
      nextCursor: string;
    };
  };
  /** What became known after a price was published and would change it today, newest first. GET /v1/corrections */
  corrections: {
    params: {
      /** A catalog id (UUID). Only corrections of this card are listed. */
      item?: string;
      /** Corrections at most: 1 to 200, 50 by default. */
      limit?: number;
      /** `nextCursor` of the previous page, with the same item; empty for the first page. */
      after?: string;
    };
    body: undefined;
    answer: {
      corrections: ReadonlyArray<{
        id: string;
        /** When it became known. */
        at: string;
        /** `mapping`: a sale was moved to another card; both cards have an entry. `model`: of every price. `import_undone`: a sale was taken out with the whole import that it came in. */
        cause: string;
        item: string | null;
        card: {
          game: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
          name: string;
          setName: string | null;
          setCode: string | null;
          cardNumber: string | null;
          printedNumber: string | null;
          variation: string | null;
          language: string | null;
        } | null;
        gradeLabel: string | null;
        fromDay: string | null;
        toDay: string | null;
        priceBeforeUsdCents: number | null;
        priceAfterUsdCents: number | null;
        note: string | null;
        /** Site-relative address of the page that it is about. */
        href: string;
      }>;
      hasMore: boolean;
      nextCursor: string | null;
    };
  };
  /** Prices and ids that may be on the wrong card, with the evidence and what was decided, newest first. GET /v1/audit */
  audit: {
    params: {
      /** One of the games; all of them unless given. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
      /** `open` or `decided`; both unless given. */
      state?: 'open' | 'decided';
      /** Suspects at most: 1 to 100, 50 by default. */
      limit?: number;
      /** `nextCursor` of the previous page, with the same game and state; empty for the first page. */
      after?: string;
    };
    body: undefined;
    answer: {
      suspects: ReadonlyArray<Suspect>;
      nextCursor: string | null;
      hasMore: boolean;
    };
  };
  /** Many slabs by their cert numbers, in the order of the request, from what is stored. GET /v1/graded */
  gradedCerts: {
    params: {
      /** Comma-separated certs, at most 50. Cert numbers have 5 to 20 digits, optionally after the grader (PSA, BGS, BECKETT, BVG, BCCG or CGC) and a space or dash. Digits alone are read as PSA. */
      certs: string;
    };
    body: undefined;
    answer: {
      results: ReadonlyArray<GradedLookup>;
    };
  };
  /** A slab by its cert number: card, grade and price. GET /v1/graded/{cert} */
  gradedCert: {
    params: {
      /** Cert numbers have 5 to 20 digits, optionally after the grader (PSA, BGS, BECKETT, BVG, BCCG or CGC) and a space or dash. Digits alone are read as PSA. */
      cert: string;
    };
    body: undefined;
    answer: GradedLookup;
  };
  /** The recorded life of a slab: its sales, changes of its record, and records that contradict each other. GET /v1/graded/{cert}/history */
  gradedCertHistory: {
    params: {
      /** Cert numbers have 5 to 20 digits, optionally after the grader (PSA, BGS, BECKETT, BVG, BCCG or CGC) and a space or dash. Digits alone are read as PSA. */
      cert: string;
    };
    body: undefined;
    answer: SlabHistory;
  };
  /** A slab by its cert number, with an event for each stage of its valuation. GET /v1/graded/{cert}/stream */
  gradedCertStream: {
    params: {
      /** Cert numbers have 5 to 20 digits, optionally after the grader (PSA, BGS, BECKETT, BVG, BCCG or CGC) and a space or dash. Digits alone are read as PSA. */
      cert: string;
    };
    body: undefined;
    answer: AsyncGenerator<ServerEvent>;
  };
  /** The slab in a photo: card, grade and price. POST /v1/graded/by-image */
  gradedByImage: {
    params: object;
    body: {
      /** JPEG, PNG, WebP or AVIF, at most 15 MB. */
      file: Blob;
    };
    answer: AsyncGenerator<ServerEvent>;
  };
  /** The card, company and grade that each title means, or why it is unmatched: as imports of sales read titles. POST /v1/resolve */
  resolve: {
    params: object;
    body: {
      titles: ReadonlyArray<string>;
      /** Cards of this game only, whatever a title says. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
    };
    answer: {
      results: ReadonlyArray<Resolution>;
    };
  };
  /** What a list of cards is worth: each line priced as its detail is, or why not, and the total with its range. POST /v1/valuations */
  valuations: {
    params: object;
    body: {
      lines: ReadonlyArray<{
        id?: string | null;
        href?: string | null;
        upstreamId?: string | null;
        externalId?: {
          /** Name of the catalog whose id it is. */
          space: string;
          id: string;
          variation?: string | null;
          language?: string | null;
        } | null;
        cert?: string | null;
        title?: string | null;
        gradeLabel?: string | null;
        company?: string | null;
        grade?: string | null;
        gradeToken?: string | null;
        quantity?: number | null;
        ref?: string | null;
      }>;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close. */
      asOf?: string;
    };
    answer: ListValuation;
  };
  /** The market indices of the indexed games: value, moves, 30 days, top movers. GET /v1/indices */
  indices: {
    params: {
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: {
      /** The day of the parameter `asOf`; absent without it. */
      asOf?: string;
      indices: ReadonlyArray<IndexTile>;
    };
  };
  /** A market index with its constituents. GET /v1/indices/{game} */
  index: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: IndexDetail;
  };
  /** The level of each day, what its basket sold for that day, and where the basket changed. GET /v1/indices/{game}/series */
  indexSeries: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
      /** Days back, 1 to 36500 (7, 30, 90, 365, 1095 are usual), or `all`. */
      window?: number | 'all';
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: {
      /** The day of the parameter `asOf`; absent without it. */
      asOf?: string;
      windowDays: number;
      base: number;
      points: ReadonlyArray<{
        /** ISO 8601 with milliseconds and Z. */
        t: string;
        value: number;
        /** Turnover of the basket that day; may be restated for 7 days. */
        volUsdCents: number;
        /** Number of those sales. */
        n: number;
        rebalanced?: true;
        membersAdded?: number;
        membersRemoved?: number;
      }>;
    };
  };
  /** The basket of a rotation day, and what it took in and let go. GET /v1/indices/{game}/rebalance/{date} */
  indexRebalance: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
      /** Rotation day, `YYYY-MM-DD` (UTC). */
      date: string;
    };
    body: undefined;
    answer: IndexRebalance;
  };
  /** Every level of an index with its divisor, turnover and corrections, as CSV. GET /v1/indices/{game}/levels.csv */
  indexLevelsCsv: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
    };
    body: undefined;
    answer: string;
  };
  /** Every level of an index with its divisor, turnover and corrections, as JSON. GET /v1/indices/{game}/levels.json */
  indexLevelsJson: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
    };
    body: undefined;
    answer: {
      index: string;
      base: number;
      levels: ReadonlyArray<{
        /** UTC day, `YYYY-MM-DD`. */
        day: string;
        /** Unrounded. */
        level: number;
        /** Level = exp(sum of weight × ln price) / divisor. */
        divisor: number;
        /** What the basket’s series sold for; may be restated for 7 days. */
        turnoverUsdCents: number;
        saleCount: number;
        methodologyVersion: string;
        firstLevel: number | null;
        correction: string | null;
      }>;
    };
  };
  /** Every basket of an index with weights, divisors and unrounded prices, as CSV. GET /v1/indices/{game}/baskets.csv */
  indexBasketsCsv: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
    };
    body: undefined;
    answer: string;
  };
  /** Every basket of an index with weights, divisors and unrounded prices, as JSON. GET /v1/indices/{game}/baskets.json */
  indexBasketsJson: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
    };
    body: undefined;
    answer: {
      index: string;
      base: number;
      baskets: ReadonlyArray<{
        /** UTC day, `YYYY-MM-DD`. */
        rotation: string;
        /** Unrounded. */
        level: number;
        divisorBefore: number | null;
        /** Level = exp(sum of weight × ln price) / divisor. */
        divisorAfter: number;
        methodologyVersion: string;
        /** Among the eligible series, by counted turnover of 90 days. */
        rank: number;
        itemId: string;
        /** As in addresses: `psa-10`. */
        gradeKey: string;
        name: string;
        setName: string;
        cardNumber: string | null;
        printedNumber: string | null;
        language: string;
        variation: string | null;
        /** `PSA 10`. */
        grade: string;
        weight: number;
        /** Dollars at the close of the rotation, unrounded. */
        priceUsd: number;
        turnover90UsdCents: number;
        removed: string | null;
      }>;
    };
  };
  /** The prices that an index took at the close of a day, with weights, divisor and level, as CSV. GET /v1/indices/{game}/prices.csv */
  indexPricesCsv: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
      /** `YYYY-MM-DD`; by default the last closed day. */
      date?: string;
    };
    body: undefined;
    answer: string;
  };
  /** The prices that an index took at the close of a day, with weights, divisor and level, as JSON. GET /v1/indices/{game}/prices.json */
  indexPricesJson: {
    params: {
      /** One of pokemon, one-piece, sports, riftbound, or the slug of a sub-index. */
      game: string;
      /** `YYYY-MM-DD`; by default the last closed day. */
      date?: string;
    };
    body: undefined;
    answer: {
      index: string;
      base: number;
      prices: ReadonlyArray<{
        /** UTC day, `YYYY-MM-DD`. */
        day: string;
        /** Unrounded. */
        level: number;
        /** Level = exp(sum of weight × ln price) / divisor. */
        divisor: number;
        itemId: string;
        /** As in addresses: `psa-10`. */
        gradeKey: string;
        name: string;
        setName: string;
        cardNumber: string | null;
        printedNumber: string | null;
        language: string;
        variation: string | null;
        /** `PSA 10`. */
        grade: string;
        weight: number;
        /** Dollars that the index took at the close of the day, unrounded. */
        priceUsd: number;
        /** `moved`: the reference price; `held`: it jumped without witnesses; `carried`: there was none. */
        state: 'moved' | 'held' | 'carried';
      }>;
    };
  };
  /** How far reference prices were off from the sales that came after them, with simple rules next to them. GET /v1/accuracy */
  accuracy: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
      /** Grading company; `RAW`: ungraded. */
      company?: 'PSA' | 'BGS' | 'CGC' | 'RAW';
      /** Days up to the last close, 1 to 365 (30, 90, 365 are usual), or `all`; 90 by default. */
      days?: number | 'all';
      /** Sales of the series on earlier days. */
      band?: '13-up' | '4-12' | '1-3';
      /** Price forecast, in dollars. */
      price?: 'under-30' | '30-100' | '100-300' | '300-1000' | '1000-up';
      /** A row for each group: by sales of the series on earlier days (`band`), by the price forecast, by days since the sale before it (`age`), by game, by grading company, by month of the close. Without it one row, of all. */
      groupBy?: 'band' | 'price' | 'age' | 'game' | 'company' | 'month';
    };
    body: undefined;
    answer: {
      asOf: string | null;
      /** First day of the figures. Where `days` have over 2,000,000 scores, a later one. */
      from: string | null;
      days: number | 'all';
      game: string | null;
      company: string | null;
      band: string | null;
      price: string | null;
      modelVersion: string;
      recomputedThrough: string | null;
      /** The sales are made up: no figure is of a real market. */
      simulated: boolean;
      /** No figure is published of fewer scored sales. */
      leastSales: number;
      /** Scored sales voided or corrected later; no figure counts them. */
      voidedSales: number;
      /** Scored sales. */
      n: number;
      /** No groups where `n` is below 200. */
      rows: ReadonlyArray<AccuracyRow>;
    };
  };
  /** How far reference prices were off, as CSV. GET /v1/accuracy.csv */
  accuracyCsv: {
    params: {
      /** One of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam. */
      game?: 'pokemon' | 'one-piece' | 'sports' | 'lorcana' | 'digimon' | 'riftbound' | 'mtg' | 'yugioh' | 'gundam';
      /** Grading company; `RAW`: ungraded. */
      company?: 'PSA' | 'BGS' | 'CGC' | 'RAW';
      /** Days up to the last close, 1 to 365 (30, 90, 365 are usual), or `all`; 90 by default. */
      days?: number | 'all';
      /** Sales of the series on earlier days. */
      band?: '13-up' | '4-12' | '1-3';
      /** Price forecast, in dollars. */
      price?: 'under-30' | '30-100' | '100-300' | '300-1000' | '1000-up';
      /** A row for each group: by sales of the series on earlier days (`band`), by the price forecast, by days since the sale before it (`age`), by game, by grading company, by month of the close. Without it one row, of all. */
      groupBy?: 'band' | 'price' | 'age' | 'game' | 'company' | 'month';
    };
    body: undefined;
    answer: string;
  };
  /** The public record: its newest signed checkpoint, its keys, its days and where their files are. GET /v1/record */
  record: { params: object; body: undefined; answer: Record };
  /** The record of a day, one canonical JSON object a line; or the proof that its chain continues an older one. GET /v1/record/{day} */
  recordDay: {
    params: {
      /** `YYYY-MM-DD`. */
      day: string;
      /** An integer from 1 to 1000000: an older size of the chain. The answer is then one line, with the roots of both sizes and the consistency proof between them. */
      proof?: number;
    };
    body: undefined;
    answer: string;
  };
  /** One price with the lines that it is computed from and the proofs that they are in the signed record. GET /v1/receipts/{item}/{grade}/{day} */
  receipt: {
    params: {
      /** Catalog id (UUID). */
      item: string;
      /** As in addresses: `psa-10`. */
      grade: string;
      /** `YYYY-MM-DD`. */
      day: string;
    };
    body: undefined;
    answer: Receipt;
  };
  /** The files of the last close for programs that want everything, with digests and the signature of the record’s key. GET /v1/bulk */
  bulk: { params: object; body: undefined; answer: Bulk };
  /** A file of `GET /v1/bulk`: gzip of NDJSON or CSV, Parquet or SQLite; Range names a part. GET /v1/bulk/{name} */
  bulkFile: {
    params: {
      /** As `GET /v1/bulk` names it. */
      name: string;
    };
    body: undefined;
    answer: Response;
  };
  /** A card at one grade. GET /v1/cards/by-upstream-id/{rid} */
  cardDetailByUpstreamId: {
    params: {
      /** Upstream inventory id. */
      rid: string;
      /** `YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later. */
      asOf?: string;
    };
    body: undefined;
    answer: CardDetail;
  };
};

/** Method, path, form of the answer and of the body; `creates`: to repeat it would do it twice. */

export type Route = {
  method: string;
  path: string;
  answer: 'json' | 'text' | 'bytes' | 'events';
  body?: 'json' | 'form';
  creates?: true;
};

export const ROUTES: { readonly [Id in keyof Calls]: Route } = {
  healthUnprefixed: { method: 'GET', path: '/health', answer: 'json' },
  health: { method: 'GET', path: '/v1/health', answer: 'json' },
  readyUnprefixed: { method: 'GET', path: '/ready', answer: 'json' },
  status: { method: 'GET', path: '/v1/status', answer: 'json' },
  usage: { method: 'GET', path: '/v1/usage', answer: 'json' },
  applyForPartnerKey: { method: 'POST', path: '/v1/partners/apply', answer: 'json', body: 'json', creates: true },
  reportIssue: { method: 'POST', path: '/v1/report', answer: 'json', body: 'json', creates: true },
  openapi: { method: 'GET', path: '/v1/openapi.json', answer: 'json' },
  openapi32: { method: 'GET', path: '/v1/openapi-3.2.json', answer: 'json' },
  summaries: { method: 'GET', path: '/v1/items/summaries', answer: 'json' },
  featured: { method: 'GET', path: '/v1/items/featured', answer: 'json' },
  detailBySlug: { method: 'GET', path: '/v1/items/{game}/{set}/{item}', answer: 'json' },
  overviewBySlug: { method: 'GET', path: '/v1/items/{game}/{set}/{item}/overview', answer: 'json' },
  tradesBySlug: { method: 'GET', path: '/v1/items/{game}/{set}/{item}/trades', answer: 'json' },
  seriesBySlug: { method: 'GET', path: '/v1/items/{game}/{set}/{item}/series', answer: 'json' },
  fmvSeriesBySlug: { method: 'GET', path: '/v1/items/{game}/{set}/{item}/fmv-series', answer: 'json' },
  detailById: { method: 'GET', path: '/v1/items/by-id/{id}', answer: 'json' },
  overviewById: { method: 'GET', path: '/v1/items/by-id/{id}/overview', answer: 'json' },
  tradesById: { method: 'GET', path: '/v1/items/by-id/{id}/trades', answer: 'json' },
  seriesById: { method: 'GET', path: '/v1/items/by-id/{id}/series', answer: 'json' },
  fmvSeriesById: { method: 'GET', path: '/v1/items/by-id/{id}/fmv-series', answer: 'json' },
  upstreamLink: { method: 'GET', path: '/v1/items/by-upstream-id/{rid}', answer: 'json' },
  detailByUpstreamId: { method: 'GET', path: '/v1/items/by-upstream-id/{rid}/detail', answer: 'json' },
  overviewByUpstreamId: { method: 'GET', path: '/v1/items/by-upstream-id/{rid}/overview', answer: 'json' },
  tradesByUpstreamId: { method: 'GET', path: '/v1/items/by-upstream-id/{rid}/trades', answer: 'json' },
  seriesByUpstreamId: { method: 'GET', path: '/v1/items/by-upstream-id/{rid}/series', answer: 'json' },
  fmvSeriesByUpstreamId: { method: 'GET', path: '/v1/items/by-upstream-id/{rid}/fmv-series', answer: 'json' },
  externalLink: { method: 'GET', path: '/v1/items/by-external-id/{space}/{id}', answer: 'json' },
  detailByExternalId: { method: 'GET', path: '/v1/items/by-external-id/{space}/{id}/detail', answer: 'json' },
  overviewByExternalId: { method: 'GET', path: '/v1/items/by-external-id/{space}/{id}/overview', answer: 'json' },
  tradesByExternalId: { method: 'GET', path: '/v1/items/by-external-id/{space}/{id}/trades', answer: 'json' },
  seriesByExternalId: { method: 'GET', path: '/v1/items/by-external-id/{space}/{id}/series', answer: 'json' },
  fmvSeriesByExternalId: { method: 'GET', path: '/v1/items/by-external-id/{space}/{id}/fmv-series', answer: 'json' },
  similarBySlug: { method: 'GET', path: '/v1/items/{game}/{set}/{item}/similar', answer: 'json' },
  games: { method: 'GET', path: '/v1/games', answer: 'json' },
  setList: { method: 'GET', path: '/v1/sets', answer: 'json' },
  set: { method: 'GET', path: '/v1/sets/{game}/{set}', answer: 'json' },
  search: { method: 'GET', path: '/v1/search', answer: 'json' },
  suggest: { method: 'GET', path: '/v1/search/suggest', answer: 'json' },
  embeddingModel: { method: 'GET', path: '/v1/search/embedding-model', answer: 'json' },
  searchByEmbedding: { method: 'POST', path: '/v1/search/by-embedding', answer: 'json', body: 'json' },
  searchByImage: { method: 'POST', path: '/v1/search/by-image', answer: 'json', body: 'form' },
  searchByImages: { method: 'POST', path: '/v1/search/by-image/bulk', answer: 'json', body: 'form' },
  detectItems: { method: 'POST', path: '/v1/search/detect-items', answer: 'json', body: 'form' },
  tags: { method: 'GET', path: '/v1/tags', answer: 'json' },
  recentTrades: { method: 'GET', path: '/v1/trades/recent', answer: 'json' },
  changes: { method: 'GET', path: '/v1/changes', answer: 'json' },
  corrections: { method: 'GET', path: '/v1/corrections', answer: 'json' },
  audit: { method: 'GET', path: '/v1/audit', answer: 'json' },
  gradedCerts: { method: 'GET', path: '/v1/graded', answer: 'json' },
  gradedCert: { method: 'GET', path: '/v1/graded/{cert}', answer: 'json' },
  gradedCertHistory: { method: 'GET', path: '/v1/graded/{cert}/history', answer: 'json' },
  gradedCertStream: { method: 'GET', path: '/v1/graded/{cert}/stream', answer: 'events' },
  gradedByImage: { method: 'POST', path: '/v1/graded/by-image', answer: 'events', body: 'form' },
  resolve: { method: 'POST', path: '/v1/resolve', answer: 'json', body: 'json' },
  valuations: { method: 'POST', path: '/v1/valuations', answer: 'json', body: 'json' },
  indices: { method: 'GET', path: '/v1/indices', answer: 'json' },
  index: { method: 'GET', path: '/v1/indices/{game}', answer: 'json' },
  indexSeries: { method: 'GET', path: '/v1/indices/{game}/series', answer: 'json' },
  indexRebalance: { method: 'GET', path: '/v1/indices/{game}/rebalance/{date}', answer: 'json' },
  indexLevelsCsv: { method: 'GET', path: '/v1/indices/{game}/levels.csv', answer: 'text' },
  indexLevelsJson: { method: 'GET', path: '/v1/indices/{game}/levels.json', answer: 'json' },
  indexBasketsCsv: { method: 'GET', path: '/v1/indices/{game}/baskets.csv', answer: 'text' },
  indexBasketsJson: { method: 'GET', path: '/v1/indices/{game}/baskets.json', answer: 'json' },
  indexPricesCsv: { method: 'GET', path: '/v1/indices/{game}/prices.csv', answer: 'text' },
  indexPricesJson: { method: 'GET', path: '/v1/indices/{game}/prices.json', answer: 'json' },
  accuracy: { method: 'GET', path: '/v1/accuracy', answer: 'json' },
  accuracyCsv: { method: 'GET', path: '/v1/accuracy.csv', answer: 'text' },
  record: { method: 'GET', path: '/v1/record', answer: 'json' },
  recordDay: { method: 'GET', path: '/v1/record/{day}', answer: 'text' },
  receipt: { method: 'GET', path: '/v1/receipts/{item}/{grade}/{day}', answer: 'json' },
  bulk: { method: 'GET', path: '/v1/bulk', answer: 'json' },
  bulkFile: { method: 'GET', path: '/v1/bulk/{name}', answer: 'bytes' },
  cardDetailByUpstreamId: { method: 'GET', path: '/v1/cards/by-upstream-id/{rid}', answer: 'json' },
};
