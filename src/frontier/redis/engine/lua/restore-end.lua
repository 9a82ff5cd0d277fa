#!lua
-- What a dump says about a shard as a whole. input: {pages, tickets, turn, turn of domains never visited, turn of the others, turned
-- away by each of three bounds}.
N[nPages], N[nTickets], N[nTurn], N[nFreshTurn], N[nVisitedTurn] = unpack(input, 1, 5)
N[nMaxHosts], N[nDomainHosts], N[nPageHosts] = unpack(input, 6, 8)
return finish()
