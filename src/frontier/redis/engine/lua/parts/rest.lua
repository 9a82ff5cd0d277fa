-- How long a host or a server rests after this many failures in a row.
local function restMs(failures)
  return failures <= 0 and 0 or min(1000 * 5 ^ (failures - 1), 3600000)
end
