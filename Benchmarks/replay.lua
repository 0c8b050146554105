-- Sends requests that were written out beforehand, so that both servers cost the load generator the same.
-- Arguments: seed, file of reads, and, if writes go on meanwhile, file of writes. A file holds whole requests parted by NUL.
-- Each request is drawn at random from all of its file; after every 50 reads comes one write.

local READS_A_WRITE = 50
local random = math.random
local reads, writes
local since = 0

local function load_requests(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  local list = {}
  for one in text:gmatch("[^%z]+") do
    list[#list + 1] = one
  end
  assert(#list > 0, "no requests in " .. path)
  return list
end

function init(args)
  math.randomseed(tonumber(args[1]))
  reads = load_requests(args[2])
  if args[3] then
    writes = load_requests(args[3])
  end
end

function request()
  if writes then
    since = since + 1
    if since > READS_A_WRITE then
      since = 0
      return writes[random(#writes)]
    end
  end
  return reads[random(#reads)]
end
