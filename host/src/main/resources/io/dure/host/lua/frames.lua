-- Values in frames, questions to the caller, and the words of `slurm` that both kinds of script know.
local receive, send, run = receive, send, run
_G.receive, _G.send, _G.run = nil, nil, nil
local pack, unpack, format, rep = string.pack, string.unpack, string.format, string.rep
local type, mathtype, pairs, ipairs, tostring, tonumber = type, math.type, pairs, ipairs, tostring, tonumber
local select, setmetatable, pcall, error, load, concat = select, setmetatable, pcall, error, load, table.concat
local tointeger, rawset, next = math.tointeger, rawset, next

-- The library has none. A command that is read from has ended when this returns, one that is written to begins with close().
function io.popen(command, mode)
  local function ended(status)
    local code, signal = status >> 8 & 0xff, status & 0x7f
    if signal ~= 0 then
      return nil, "signal", signal
    end
    return code == 0 and true or nil, "exit", code
  end
  local pipe = {}
  if mode == "w" then
    local words = {}
    function pipe:write(...)
      for _, word in ipairs({ ... }) do
        words[#words + 1] = tostring(word)
      end
      return self
    end
    function pipe.flush() end
    function pipe.close()
      local _, status = run(command, concat(words))
      return ended(status)
    end
    return pipe
  end
  local text, status = run(command)
  local file = io.tmpfile()
  file:write(text)
  file:seek("set")
  function pipe.read(_, ...)
    return file:read(...)
  end
  function pipe.lines(_, ...)
    return file:lines(...)
  end
  function pipe.close()
    file:close()
    return ended(status)
  end
  return pipe
end

local function put(out, value)
  local kind = type(value)
  if kind == "string" then
    out[#out + 1] = "s" .. pack(">s4", value)
  elseif kind == "boolean" then
    out[#out + 1] = value and "t" or "f"
  elseif mathtype(value) == "integer" then
    out[#out + 1] = "i" .. pack(">i8", value)
  elseif kind == "number" then
    out[#out + 1] = "d" .. pack(">d", value)
  elseif kind == "table" then
    local place, count = #out + 1, 0
    out[place] = ""
    for key, one in pairs(value) do
      put(out, key)
      put(out, one)
      count = count + 1
    end
    out[place] = "m" .. pack(">I4", count)
  else
    out[#out + 1] = "n"
  end
end

local function get(text, at)
  local kind = text:sub(at, at)
  at = at + 1
  if kind == "s" then
    return unpack(">s4", text, at)
  elseif kind == "i" then
    return unpack(">i8", text, at)
  elseif kind == "d" then
    return unpack(">d", text, at)
  elseif kind == "m" then
    local count
    count, at = unpack(">I4", text, at)
    local map = {}
    for _ = 1, count do
      local key, value
      key, at = get(text, at)
      value, at = get(text, at)
      map[key] = value
    end
    return map, at
  elseif kind == "t" then
    return true, at
  elseif kind == "f" then
    return false, at
  end
  return nil, at
end

local function tell(what, value)
  local out = {}
  put(out, { what, value })
  send(concat(out))
end

local function ask(what, value)
  tell(what, value)
  return (get(receive(), 1))
end

-- What string.format says, or the plain text where it cannot.
local function worded(text, ...)
  text = tostring(text)
  local ok, said = pcall(format, text, ...)
  return ok and said or text
end

slurm = {
  SUCCESS = 0,
  ERROR = -1,
  FAILURE = -1,
  NO_VAL8 = 0xfe,
  NO_VAL16 = 0xfffe,
  NO_VAL = 0xfffffffe,
  NO_VAL64 = 2.0 ^ 64,
  INFINITE8 = 0xff,
  INFINITE16 = 0xffff,
  INFINITE = 0xffffffff,
  INFINITE64 = 2.0 ^ 64,
  MEM_PER_CPU = 2.0 ^ 63,
  NICE_OFFSET = 0x80000000,
  JOB_SHARED_NONE = 0,
  JOB_SHARED_OK = 1,
  JOB_SHARED_USER = 2,
  JOB_SHARED_MCS = 3,
  GRES_DISABLE_BIND = 0x1,
  GRES_ENFORCE_BIND = 0x2,
  KILL_INV_DEP = 0x4,
  NO_KILL_INV_DEP = 0x8,
  SPREAD_JOB = 0x40,
  USE_MIN_NODES = 0x80,
  TEST_NOW_ONLY = 0x200,
}
local slurm = slurm

-- A code that is not known here still refuses.
setmetatable(slurm, {
  __index = function(_, name)
    return type(name) == "string" and name:sub(1, 6) == "ESLURM" and -1 or nil
  end,
})

for name, level in pairs({
  log_error = "error",
  error = "error",
  log_info = "info",
  log_verbose = "verbose",
  log_debug = "debug",
  log_debug2 = "debug2",
  log_debug3 = "debug3",
  log_debug4 = "debug4",
}) do
  slurm[name] = function(...)
    ask("log", { level, worded(...) })
  end
end

-- Minutes of "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours[:minutes[:seconds]]".
function slurm.time_str2mins(text)
  text = tostring(text)
  local word = text:lower()
  if word == "unlimited" or word == "infinite" or word == "-1" then
    return slurm.INFINITE
  end
  local days, rest = text:match("^(%d+)%-(.+)$")
  local parts = {}
  for part in (rest or text):gmatch("[^:]+") do
    parts[#parts + 1] = tonumber(part) or 0 / 0
  end
  local seconds
  if days then
    seconds = tonumber(days) * 86400 + (parts[1] or 0) * 3600 + (parts[2] or 0) * 60 + (parts[3] or 0)
  elseif #parts == 3 then
    seconds = parts[1] * 3600 + parts[2] * 60 + parts[3]
  else
    seconds = (parts[1] or 0 / 0) * 60 + (parts[2] or 0)
  end
  return seconds == seconds and tointeger((seconds + 59) // 1) // 60 or slurm.NO_VAL
end

local function loadscript(text, path, required)
  local chunk, why = load(text, "@" .. path)
  if not chunk then
    return why
  end
  local before = {}
  for _, name in ipairs(required) do
    before[name], _G[name] = _G[name], nil
  end
  local ok, code = pcall(chunk)
  if ok and mathtype(code) and code ~= 0 then
    why = format("%s: returned %s", path, tostring(code))
  elseif not ok then
    why = tostring(code)
  else
    for _, name in ipairs(required) do
      if type(_G[name]) ~= "function" then
        why = format("%s: required function %s is missing", path, name)
      end
    end
  end
  if why then
    for _, name in ipairs(required) do
      _G[name] = before[name]
    end
  end
  return why
end

-- What a function of the script returned, as a code, or why it failed.
local function called(name, ...)
  local ok, code = pcall(_G[name], ...)
  if not ok then
    return -1, tostring(code)
  end
  local number = tonumber(code)
  if not number then
    ask("log", { "info", name .. ": non-numeric return code" })
    return 0
  end
  return tointeger(number) or tointeger(number // 1) or -1
end
