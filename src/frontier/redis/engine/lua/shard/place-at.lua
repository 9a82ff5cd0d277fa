#!lua flags=allow-oom
-- Places the host of an open ticket at a server. input: {id, ticket, server}. Returns {…, 1 if the ticket is open}.
local id = input[1]
read({ id })
local h = leased(id, input[2])
if not h then return finish(0) end
h[hServer], h[hServerDown] = input[3], 0
flush()
return finish(1)
