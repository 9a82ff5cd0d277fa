#!lua
-- Links of a dump that are done become known. input: {fingerprint, 1 a page or 2, …}.
for k = 1, #input, 2 do
  local fp, state = input[k], input[k + 1]
  if call('HSETNX', bucketOf(fp), fp, state) == 1 then
    N[nKnown], N[nDone] = N[nKnown] + 1, N[nDone] + 1
    if state == 1 then N[nPages] = N[nPages] + 1 end
  end
end
growBuckets()
return finish()
