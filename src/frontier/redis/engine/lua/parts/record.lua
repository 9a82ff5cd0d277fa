-- A host's record. State: 0 free, 1 leased. The flags (0 or 1): proven; its time was set by its rest; its server was seen to
-- be down; it counts as down; it waits in its server's queue; its domain is known to be visited. Then what it has received, and how many
-- turns it has had. Written by `struct`: half the cost of msgpack.
-- const: hName = 1, hSince = 2, hReady = 3, hState = 4, hWaiting = 5, hRanks = 6, hDomain = 7, hAuxiliaries = 8
-- const: hProven = 9, hResting = 10, hDelay = 11, hFails = 12, hPages = 13, hServer = 14, hServerDown = 15
-- const: hDown = 16, hLined = 17, hVisited = 18, hReceived = 19, hTurns = 20

-- If it has planned visits, 2 is added to the state as it is written, and these follow: how many; how many of them are due; 1 if its next page is
-- to be a due one. While it is leased, the lease follows: owner, ticket, rank of the link (-1: an auxiliary link, -2: a visit again), 1 if it was
-- woken, and the link's text, or the number of the visit.
-- const: hOwner = 21, hTicket = 22, hRank = 23, hWoken = 24, hText = 25, hPlans = 26
-- const: pAll = 1, pDue = 2, pTurn = 3
-- const: RECORD = '>Hc0I6dBI4Hc0I4I3BBdHI4Hc0BBBBdI4', LEASE = '>Hc0dhB', PLANS = '>I4I4B'
local spack, sunpack = struct.pack, struct.unpack
local function encode(h)
  local plans = h[hPlans]
  if plans and plans[pAll] + plans[pTurn] == 0 then plans = nil end
  local record = spack(
    RECORD,
    #h[hName], h[hName], h[hSince], h[hReady], plans and h[hState] + 2 or h[hState], h[hWaiting], #h[hRanks], h[hRanks], h[hDomain], h[hAuxiliaries], h[hProven],
    h[hResting], h[hDelay], h[hFails], h[hPages], #h[hServer], h[hServer], h[hServerDown], h[hDown], h[hLined],
    h[hVisited], h[hReceived], h[hTurns]
  )
  if plans then record = record .. spack(PLANS, plans[pAll], plans[pDue], plans[pTurn]) end
  if h[hState] == 0 then return record end
  return record .. spack(LEASE, #h[hOwner], h[hOwner], h[hTicket], h[hRank], h[hWoken]) .. h[hText]
end

local function decode(record)
  local h = { sunpack(RECORD, record) }
  local at = h[21]
  if h[hState] > 1 then
    h[hState] = h[hState] - 2
    local all, due, turn, after = sunpack(PLANS, record, at)
    h[hPlans], at = { all, due, turn }, after
  end
  if h[hState] == 1 then
    h[hOwner], h[hTicket], h[hRank], h[hWoken], at = sunpack(LEASE, record, at)
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
