#!lua flags=allow-oom
-- Reports a crawler's numbers, permits it to open page tickets, and returns who works on the crawl.
-- ARGV: 1 crawler ('': only looks), 2 opening, 3 number of this report, 4 pages that it has done, 5 page tickets that it
--   has open, or permits for them, 6 how many more it wants to open, 7 limit (-1: none), 8 clearings that it knows of,
--   9 'beat' or 'leave', 10 losses that it has recovered from
-- A record of `w`: {opening, number of the last report, time of the last report, 1 if it has left, pages, open, granted, losses that it
--   has recovered from}
-- Returns {0} when a later opening of this crawler is known: another crawler fenced it. Else
--   {1, granted, pages of all, clearings, losses, id, opening, ms since its last report, 1 if it has left, pages, open, …}.
--   With other clearings than it knows of, nothing is recorded or granted. Granted is less than 0 when the limit has no room for
--   this many of the tickets that it has open: pages of former visits were counted meanwhile.
local t = string.sub(KEYS[1], 1, -2)
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local crawler, opening, number = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local counted = call('HMGET', KEYS[1], 'clearings', 'losses')
local limit, clearings, losses = tonumber(ARGV[7]), tonumber(counted[1] or 0), tonumber(counted[2] or 0)
local all, own = call('HGETALL', t .. 'w'), nil
local pages, open, list = 0, 0, {}
for i = 1, #all, 2 do
  local record = cmsgpack.unpack(all[i + 1])
  if all[i] == crawler then own = record
  else
    pages, open = pages + record[5], open + record[6]
    list[#list + 1] = all[i]
    list[#list + 1] = record[1]
    list[#list + 1] = math.max(0, now - record[3])
    list[#list + 1] = record[4]
    list[#list + 1] = record[5]
    list[#list + 1] = record[6]
  end
end
local granted = 0
if crawler ~= '' then
  own = own or {opening, 0, now, 0, 0, 0, 0, 0}
  if own[1] > opening then return {0} end
  -- Its opening was forgotten.
  if own[1] < opening then own[2] = 0 end
  if number > own[2] and clearings == tonumber(ARGV[8]) then
    own[5], own[6] = tonumber(ARGV[4]), tonumber(ARGV[5])
    granted = tonumber(ARGV[6])
    if limit >= 0 then granted = math.max(-own[6], math.min(granted, limit - pages - own[5] - open - own[6])) end
    own[1], own[2], own[3], own[4] = opening, number, now, ARGV[9] == 'leave' and 1 or 0
    own[6], own[7], own[8] = own[6] + math.max(granted, 0), granted, tonumber(ARGV[10])
    call('HSET', t .. 'w', crawler, cmsgpack.pack(own))
  elseif number == own[2] then
    granted = own[7]
    -- Written once more, as in call.lua.
    call('HSET', t .. 'w', crawler, cmsgpack.pack(own))
  end
  pages = pages + own[5]
end
local answer = {1, granted, pages, clearings, losses}
for i = 1, #list do answer[#answer + 1] = list[i] end
return answer
