-- How much of a budget is handed out to processes. A process leases units here and spends them in memory.

create table quota_leases (
  policy     text not null,                  -- daily, image, intake
  subject    text not null,                  -- key:mk_… or address:203.0.113.7, address:2001:db8:1:2::/64
  window_day int not null,                   -- UTC day number by the database's clock
  leased     int not null,                   -- handed out and not returned; never more than the budget
  granted    int not null,                   -- what the last lease got
  holder     text not null,                  -- the process that leased last
  shared     boolean not null default false, -- more than one process leased today
  primary key (policy, subject, window_day)
);
