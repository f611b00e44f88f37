-- Version 3 of the price model widens ranges by price bucket too; null on the days that earlier versions published.
alter table calibration_days add column factors float8[];
