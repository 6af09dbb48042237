#!/usr/bin/env python3
"""A bad network between two namespaces, for kernels without netem.

usage: link.py VISITOR ROUTER DELAY_MS JITTER_MS LOSS_PERCENT RATE_KBPS    (RATE_KBPS 0: unlimited)

Carries IP packets between a TUN device in the namespace VISITOR (10.9.1.2) and one in the namespace ROUTER (10.9.1.1).
Each direction is delayed, dropped and rate-limited alike; jitter reorders packets. Prints "up" when ready. Ends when its
standard input is closed, so it never outlives the program that started it.
"""
import ctypes, fcntl, heapq, os, random, select, struct, subprocess, sys, time

CLONE_NEWNET, TUNSETIFF, IFF_TUN_NO_PI = 0x40000000, 0x400454CA, 0x1001
QUEUE_LIMIT_MS = 300.0
visitor, router = sys.argv[1:3]
delay, jitter, loss, rate = (float(x) for x in sys.argv[3:7])
libc = ctypes.CDLL(None, use_errno=True)


def tun_in(namespace: str, name: str) -> int:
    fd = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    if libc.setns(fd, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), f"setns {namespace}")
    os.close(fd)
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22s", name.encode(), IFF_TUN_NO_PI, b""))
    return tun


near, far = tun_in(visitor, "link0"), tun_in(router, "link1")
for namespace, device, address in ((visitor, "link0", "10.9.1.2"), (router, "link1", "10.9.1.1")):
    subprocess.run(["ip", "-n", namespace, "addr", "add", f"{address}/24", "dev", device], check=True)
    subprocess.run(["ip", "-n", namespace, "link", "set", device, "up", "mtu", "1500"], check=True)
subprocess.run(["ip", "-n", visitor, "route", "add", "default", "via", "10.9.1.1"], check=True)
print("up", flush=True)

stdin = sys.stdin.fileno()
in_flight: list = []
sequence = 0
line_free_at = {near: 0.0, far: 0.0}
while True:
    wait = max(0.0, in_flight[0][0] - time.monotonic()) if in_flight else 1.0
    readable, _, _ = select.select([near, far, stdin], [], [], wait)
    now = time.monotonic()
    for side in readable:
        if side == stdin:
            if not os.read(stdin, 4096):
                sys.exit(0)
            continue
        for _ in range(64):
            try:
                packet = os.read(side, 4096)
            except BlockingIOError:
                break
            if random.random() * 100 < loss:
                continue
            departs = now
            if rate:
                starts = max(now, line_free_at[side])
                if (starts - now) * 1000 > QUEUE_LIMIT_MS:
                    continue
                line_free_at[side] = departs = starts + len(packet) * 8 / (rate * 1000)
            sequence += 1
            arrives = departs + max(0.0, delay + random.uniform(-jitter, jitter)) / 1000
            heapq.heappush(in_flight, (arrives, sequence, far if side == near else near, packet))
    now = time.monotonic()
    while in_flight and in_flight[0][0] <= now:
        _, _, side, packet = heapq.heappop(in_flight)
        try:
            os.write(side, packet)
        except OSError:
            pass
