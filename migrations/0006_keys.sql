-- Rotation with an overlap, and a version by which processes see that keys changed.

alter table api_keys add column previous_hash bytea;
alter table api_keys add column previous_until timestamptz;

create table api_keys_version (version bigint not null);
insert into api_keys_version values (0);
