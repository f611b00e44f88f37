#!/bin/sh
# Starts mintmark as whatever user the container runs as. PostgreSQL's programs look up the name of their user id; an id
# without one, as orchestrators choose them, gets a name for this process tree.
set -eu
if ! id -un >/dev/null 2>&1; then
  export NSS_WRAPPER_PASSWD="${TMPDIR:-/tmp}/mintmark-passwd" NSS_WRAPPER_GROUP=/etc/group LD_PRELOAD=libnss_wrapper.so
  printf 'mintmark:x:%s:%s:Mintmark:%s:/bin/sh\n' "$(id -u)" "$(id -g)" "${MINTMARK_DATA:-/data}" >"$NSS_WRAPPER_PASSWD"
fi
export HOME="${MINTMARK_DATA:-/data}"
exec mintmark "$@"
