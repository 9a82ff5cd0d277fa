#!lua
-- Adds links of a dump of which only the fingerprint is left. input: {1 page, 2 done, or the name of a reason; fingerprints}.
-- Returns {…, links that were there already}.
local end_ = input[1]
local reason = type(end_) == 'string' and reasonOf(end_)
local state, added = reason and reason + 3 or end_, 0
for _, fp in ipairs(input[2]) do
  if call('HSETNX', bucketOf(fp), fp, state) == 1 then added = added + 1 end
end
N[nKnown] = N[nKnown] + added
if reason then
  countRefused(reason, added)
else
  N[nDone] = N[nDone] + added
end
flush()
growBuckets()
return finish(#input[2] - added)
