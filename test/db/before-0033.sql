-- No row that another one refers to is needed.
set session_replication_role = replica;
insert into refused_rows values ('\x01', 1, 2, 'reason', 'message', 'raw');
insert into card_touches values ('00000000-0000-0000-0000-000000000001', 5, '\x0102');
insert into couriers (id, day, calls, latencies_ms) values ('psa', 20000, 7, '{30,10,20}');
insert into quota_leases (policy, subject, window_day, leased, granted) values ('daily', 'key:a', 20000, 12, 5);
insert into quota_leases (policy, subject, window_day, leased, granted, holder, shared)
  values ('image', 'key:a', 20000, 3, 1, 'x', true);
insert into valuations (company, cert_key, cert_number, owner, lease_until) values ('psa', '1', '1', 'p', now());
set session_replication_role = origin;
