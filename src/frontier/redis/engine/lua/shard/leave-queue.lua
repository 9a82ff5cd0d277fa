#!lua flags=allow-oom
-- Hosts no longer wait in the queues of their servers. input: {server, SHARD:HOST, …}. Returns {…, wake}.
for k = 1, #input, 2 do
  local name, member = input[k], input[k + 1]
  local s = serverNamed(name)
  for c, class in ipairs(CLASSES) do
    uncall(s, class .. member)
    if s[sLine][c] > 0 then s[sLine][c] = s[sLine][c] - call('ZREM', lineOf(name, class), member) end
  end
end
saveServers()
return finish(wake)
