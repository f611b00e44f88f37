-- Version 3 of the price model widens ranges by price bucket too; null on the days that earlier versions published.
alter table calibration_days add column factors float8[];

-- Earlier versions of the model, with the last day that each published: its tables are in the schema prices_v<version>.
create table price_versions (
  version   text primary key,
  until_day int not null
);
