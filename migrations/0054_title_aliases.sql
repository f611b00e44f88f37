-- What titles call a set or a card is a decision; its facts are the game, the words of titles, and the name in the catalog.
alter table decisions drop constraint decisions_kind_check,
  add constraint decisions_kind_check check (kind in
    ('undo_import', 'match_sale', 'drop_sale', 'application', 'report', 'pause_service', 'identity_suspect', 'title_alias'));
