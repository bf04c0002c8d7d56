#!/usr/bin/env bash
# walk.sh MIRROR FOLDER - a stranger's walk: a bare Debian 12 from MIRROR in the new FOLDER, and in it what the README says,
# from `git clone` of the last commit here to the first picture, each step timed. Root, and debootstrap, are needed; the
# folder is removed afterwards.
set -euo pipefail
if (($# != 2)) || ((EUID != 0)) || [[ -e $2 ]]; then
  echo "usage, as root: tools/walk.sh MIRROR FOLDER, where FOLDER is not there yet" >&2
  exit 2
fi
mirror=$1 root=$2
source=$(git -C "$(dirname -- "$(readlink -f -- "$0")")" rev-parse --show-toplevel)

leave() {
  local mounted
  for mounted in proc dev; do
    ! mountpoint -q "$root/$mounted" || umount --lazy "$root/$mounted"
  done
  # Never into what is still mounted.
  rm -rf --one-file-system -- "$root"
}
trap leave EXIT

debootstrap --variant=minbase bookworm "$root" "$mirror" >/dev/null
cp /etc/resolv.conf "$root/etc/"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
# The address that a stranger clones from; the commit is ours.
git clone --quiet --bare "$source" "$root/root/tact.git"
git -C "$root/root/tact.git" update-ref refs/heads/walk "$(git -C "$source" rev-parse HEAD)"

env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" bash -euo pipefail -c '
  cd
  timed() { local TIMEFORMAT="    %R s, of the processors %U s + %S s"; echo "\$ $*"; time "$@"; }
  get_git() { apt-get update >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y git >/dev/null 2>&1; }
  timed get_git
  timed git clone --quiet --branch walk tact.git tact
  cd tact
  timed ./run demo
  test -s build/demo/index.html
'
