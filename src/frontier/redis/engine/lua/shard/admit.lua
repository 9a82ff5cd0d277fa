#!lua flags=allow-oom
-- Which tickets may go to their servers; none while the shard is held. input: {server, SHARD:HOST, token, class, …}. Returns {…, {-1 (granted) or when to try again in ms, is down,
-- …}, wake}.
local answers = {}
-- const: HELD_WAIT_MS = 100
for k = 1, isHeld and #input or 0, 4 do
  answers[#answers + 1], answers[#answers + 2] = HELD_WAIT_MS, 0
end
for k = 1, isHeld and 0 or #input, 4 do
  local name, member, token, class = input[k], input[k + 1], input[k + 2], input[k + 3]
  local s = serverNamed(name)
  local c = class == 'j' and 1 or class == 'a' and 2 or 3
  local place = uncall(s, class .. member)
  local wasCalled = place ~= nil
  local isFirst = s[sLine][c] == 0
  if not wasCalled and s[sLine][c] > 0 then
    place = tonumber(call('ZSCORE', lineOf(name, class), member) or nil)
    isFirst = place and call('ZRANGE', lineOf(name, class), 0, 0)[1] == member
    if place then
      call('ZREM', lineOf(name, class), member)
      s[sLine][c] = s[sLine][c] - 1
    end
  end
  local free, called = perServer - openAt(s), calledOf(s, class)
  -- Room that the called ones do not need; with a gap, their times come first, too.
  local hasRoom = free > 0 and (wasCalled or isFirst and free > called)
  local laterMs = -1
  if hasRoom and s[sReady] <= now and (wasCalled or gapMs == 0 or called == 0) then
    local open = s[sOpen]
    local n = #open
    open[n + 1], open[n + 2], open[n + 3], open[n + 4], open[n + 5] = token, now + leaseMs, now, s[sReady], now + gapMs
    s[sReady] = now + gapMs
  else
    if not place then
      s[sPlaces] = s[sPlaces] + 1
      place = s[sPlaces]
    end
    if hasRoom then
      laterMs = callUp(s, class, member, place) - now
    else
      call('ZADD', lineOf(name, class), place, member)
      s[sLine][c] = s[sLine][c] + 1
      laterMs = PARKED_MS * max(1, s[sLine][c] / ASKING)
    end
  end
  answers[#answers + 1] = laterMs
  answers[#answers + 1] = s[sFails] > retries and 1 or 0
end
saveServers()
return finish(answers, wake)
