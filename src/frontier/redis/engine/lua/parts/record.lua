-- A host's record. State: 0 free, 1 leased. The flags (0 or 1): proven; its time was set by its rest; its server was seen to
-- be down; it counts as down; it waits in its server's queue; its domain is known to be visited. Then what it has received, and how many
-- turns it has had. Written by `struct`: half the cost of msgpack.
-- const: hName = 1, hSince = 2, hReady = 3, hState = 4, hWaiting = 5, hRanks = 6, hDomain = 7, hAuxiliaries = 8
-- const: hProven = 9, hResting = 10, hDelay = 11, hFails = 12, hPages = 13, hServer = 14, hServerDown = 15
-- const: hDown = 16, hLined = 17, hVisited = 18, hReceived = 19, hTurns = 20

-- While it is leased, the lease follows: owner, ticket, rank of the link (-1: an auxiliary link), 1 if it was woken, and the link's text.
-- const: hOwner = 21, hTicket = 22, hRank = 23, hWoken = 24, hText = 25
-- const: RECORD = '>Hc0I6dBI4Hc0I4I3BBdHI4Hc0BBBBdI4', LEASE = '>Hc0dhB'
local spack, sunpack = struct.pack, struct.unpack
local function encode(h)
  local record = spack(
    RECORD,
    #h[hName], h[hName], h[hSince], h[hReady], h[hState], h[hWaiting], #h[hRanks], h[hRanks], h[hDomain], h[hAuxiliaries], h[hProven],
    h[hResting], h[hDelay], h[hFails], h[hPages], #h[hServer], h[hServer], h[hServerDown], h[hDown], h[hLined],
    h[hVisited], h[hReceived], h[hTurns]
  )
  if h[hState] == 0 then return record end
  return record .. spack(LEASE, #h[hOwner], h[hOwner], h[hTicket], h[hRank], h[hWoken]) .. h[hText]
end

local function decode(record)
  local h = { sunpack(RECORD, record) }
  if h[hState] == 1 then
    local at
    h[hOwner], h[hTicket], h[hRank], h[hWoken], at = sunpack(LEASE, record, h[21])
    h[hText] = sub(record, at)
  end
  return h
end

local function numberOf(id)
  local a, b, c, d = byte(id, 1, 4)
  return ((a * 256 + b) * 256 + c) * 256 + d
end

local function idOf(number)
  return char(floor(number / 16777216) % 256, floor(number / 65536) % 256, floor(number / 256) % 256, number % 256)
end
