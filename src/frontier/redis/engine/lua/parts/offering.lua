-- How links are offered. Blocks are {host, its domain, bound, group, what is given to the host, links, …}: the links of a host that belong to
-- one group, in the order of the groups. Domain: a text, or how many of the last bytes of the host it is. Bound: 0: the host may become known;
-- 1: no, max-hosts; 3: no, page-hosts. Links are {fingerprint, rank, text, …}; rank is 0 to 255 for a page, -1 for an auxiliary link,
-- and for a refused page its rank and 256 times the place of its reason in `reasonNames`.
local fresh, became, idByName = {}, {}, {}

-- Finds the ids of these hosts, and reads their records.
local function findHosts(names)
  if #names == 0 then return end
  local found, known = call('HMGET', T .. 'h', unpack(names)), {}
  for k, name in ipairs(names) do
    idByName[name] = found[k]
    if found[k] then known[#known + 1] = found[k] end
  end
  read(known)
end

-- Why a host may not become known: the counter of that, or nothing.
local function boundOf(domain, bound)
  if bound == 1 then return nMaxHosts end
  if mostOfDomain < math.huge then
    local known = domainOf(domain)
    if (known and known[2] or 0) >= mostOfDomain then return nDomainHosts end
  end
  if bound == 3 then return nPageHosts end
end

-- Splits buckets until there are enough of them.
local function growBuckets()
  while N[nKnown] > N[nBuckets] * PER_BUCKET do
    local to = N[nBuckets]
    local from = to - level
    local all = call('HGETALL', S .. from)
    local moved, gone = {}, {}
    for k = 1, #all, 2 do
      if lowOf(all[k]) % (level * 2) == to then
        moved[#moved + 1], moved[#moved + 2] = all[k], all[k + 1]
        gone[#gone + 1] = all[k]
      end
    end
    if #gone > 0 then
      call('HSET', S .. to, unpack(moved))
      call('HDEL', S .. from, unpack(gone))
    end
    N[nBuckets] = to + 1
    if N[nBuckets] == level * 2 then level = level * 2 end
  end
end

-- `noteTexts`: {number, note, …}; links that are new refer to them.
local references = {}
local function keepNotes(noteTexts)
  for k = 1, #noteTexts, 2 do
    local number = noteTexts[k]
    local links = references[number]
    if links then
      call('HSET', T .. 'b', number, noteTexts[k + 1])
      if links > 1 then call('HSET', T .. 'bn', number, links - 1) end
    end
  end
end

-- The record of a host that gets a link. One that is set aside gets none: the link is not known then.
local function wholeHost(id, key, unknow, fp)
  local h = touch(id)
  if not h then call(unknow, key, fp) end
  return h
end

local function addBlocks(blocks, reasonNames, hasNotes)
  for b = 1, #blocks, 6 do
    local name, domain, group, given, links = blocks[b], blocks[b + 1], blocks[b + 3] + 1, blocks[b + 4], blocks[b + 5]
    local id = idByName[name]
    local bound
    if not id then
      if type(domain) == 'number' then domain = sub(name, -domain) end
      bound = boundOf(domain, blocks[b + 2])
      if bound then
        N[bound] = N[bound] + #links / 3
      else
        id = create(name, domain)
        idByName[name] = id
        became[#became + 1] = name
      end
    end
    if not bound then
      local taker = given > 0 and touch(id)
      if taker then taker[hReceived] = min(taker[hReceived] + given, 1.7976931348623157e308) end
      for k = 1, #links, 3 do
        local fp, rank, text = links[k], links[k + 1], links[k + 2]
        if rank < 0 then
          local h = call('SADD', T .. 'y:' .. id, fp) == 1 and wholeHost(id, T .. 'y:' .. id, 'SREM', fp)
          if h then
            fresh[group] = fresh[group] + 1
            N[nAuxiliaries] = N[nAuxiliaries] + 1
            leaving[id] = true
            queue(id, h, rank, text)
          end
        elseif rank < 256 then
          local h = call('HSETNX', bucketOf(fp), fp, '0') == 1 and wholeHost(id, bucketOf(fp), 'HDEL', fp)
          if h then
            fresh[group] = fresh[group] + 1
            N[nKnown] = N[nKnown] + 1
            queue(id, h, rank, text)
            if hasNotes then
              local number = noteOf(text)
              if number then references[number] = (references[number] or 0) + 1 end
            end
          end
        else
          local reason = reasonOf(reasonNames[floor(rank / 256)])
          if call('HSETNX', bucketOf(fp), fp, reason + 3) == 1 then
            N[nKnown] = N[nKnown] + 1
            countRefused(reason, 1)
            call('HSET', T .. 'x:' .. id, fp, char(rank % 256) .. text)
            if hasNotes then
              local number = noteOf(text)
              if number then references[number] = (references[number] or 0) + 1 end
            end
          end
        end
      end
    end
  end
end
