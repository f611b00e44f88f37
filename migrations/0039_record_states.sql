-- Lines of cards have their state as bytes: files of earlier days would not have their roots any more. The record begins anew with
-- the next close, whose file has everything in force.
delete from record_days;
delete from record_parameters;
