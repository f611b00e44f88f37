-- How far the price that stood before a sale became known was off, with simple rules next to it: one row for each sale that
-- a close took in, of a series that had sold on an earlier day; the first 31 days of the ledger have none. Rows never change.
-- Errors are ln(forecast / price). `inside`: 1, 2 and 4 for the 50, 80 and 95 % range. `own_sales`: of the series on earlier
-- days; `age_days`: since the last of them; `price_bucket`: of the forecast (below $30, 100, 300, 1,000, and above).
create table sale_scores (
  sale_id        bigint not null,
  day            int not null,
  own_sales      int not null,
  age_days       int not null,
  model          real not null,
  last_sale      real not null,
  mean_of_3      real not null,
  median_of_5    real not null,
  median_30_days real not null,
  ewma           real not null,
  price_bucket   smallint not null,
  inside         smallint not null,
  game           text not null,
  company        text not null,
  -- Days rise and sales of a day are in order, so that each row is appended to the index.
  primary key (day, sale_id)
);
