-- Replaces the settings of a crawl, if they still are what they were.
-- ARGV: 1 what they were, 2 what they shall be. Returns 1 if they are that now, else 0.
local key = string.sub(KEYS[1], 1, -2) .. 'settings'
local now = redis.call('GET', key)
if now == ARGV[1] then redis.call('SET', key, ARGV[2]) elseif now ~= ARGV[2] then return 0 end
return 1
