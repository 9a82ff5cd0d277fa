#!lua flags=allow-oom
-- Enough pages are done, so that links that wait no longer count as waiting, or not any more. One step. input: {1 or 0}. Returns {…, 1 if there is more}.
-- const: MOST = 500
local isFull = input[1] == 1
local from, to = N[nFull] + 1, min(N[nFull] + MOST, N[nHosts])
if not isFull then from, to = max(1, N[nFull] - MOST + 1), N[nFull] end
local some = {}
for number = from, to do some[#some + 1] = idOf(number) end
read(some)
for _, id in ipairs(some) do touch(id) end
N[nFull] = isFull and to or from - 1
flush()
return finish((isFull and N[nFull] < N[nHosts] or not isFull and N[nFull] > 0) and 1 or 0)
