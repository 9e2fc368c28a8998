-- Behind frames.lua: runs the functions of cli_filter.lua.
local known = {}

-- Standard output is the command's.
function print(...)
  local words = table.pack(...)
  for i = 1, words.n do
    words[i] = tostring(words[i])
  end
  ask("print", concat(words, "\t", 1, words.n) .. "\n")
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function quoted(text)
  return '"'
    .. tostring(text):gsub('[%c"\\]', function(letter)
      return ESCAPES[letter] or format("\\u%04x", letter:byte())
    end)
    .. '"'
end

local function json(map)
  local names, parts = {}, {}
  for name in pairs(map) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    parts[#parts + 1] = quoted(name) .. ":" .. quoted(map[name])
  end
  return "{" .. concat(parts, ",") .. "}"
end

function slurm.json_cli_options(options)
  local all = {}
  for name, value in pairs(options) do
    all[name] = value
  end
  return json(all)
end

function slurm.json_env()
  return json(ask("environment") or {})
end

slurm.user_msg = slurm.log_info
slurm.log_user = slurm.log_info

-- The options: reads come from what is set, writes are remembered; nil and false take an option away.
local function options(set, kinds)
  local changed = {}
  return setmetatable({}, {
    __index = function(_, name)
      return set[(tostring(name):gsub("_", "-"))]
    end,
    __pairs = function()
      return next, set, nil
    end,
    __newindex = function(_, name, value)
      name = tostring(name):gsub("_", "-")
      if not kinds[name] then
        ask("log", { "error", format("there is no option %q to set", name) })
        return
      end
      local kind = type(value)
      if kind ~= "nil" and kind ~= "string" and kind ~= "number" and kind ~= "boolean" then
        error(format("options[%q]: string expected, got %s", name, kind), 2)
      end
      if kind == "boolean" then
        value = value and "set" or nil
      elseif kinds[name] == "flag" and (value == "unset" or value == "no") then
        value = nil
      end
      value = value ~= nil and tostring(value) or nil
      set[name], changed[name] = value, value or false
    end,
  }),
    changed
end

local REQUIRED = { "slurm_cli_pre_submit", "slurm_cli_setup_defaults", "slurm_cli_post_submit" }

while true do
  local request = get(receive(true), 1)
  if request.op == "constants" then
    tell("done")
  elseif request.op == "load" then
    tell("done", loadscript(request.text, request.path, REQUIRED))
  else
    local code, why
    local changed = {}
    if request.op == "post" then
      code, why = called("slurm_cli_post_submit", request.offset, request.job, request.step)
    else
      local proxy
      proxy, changed = options(request.options, request.kinds)
      if request.op == "pre" then
        code, why = called("slurm_cli_pre_submit", proxy, request.offset)
      else
        code, why = called("slurm_cli_setup_defaults", proxy, request.early)
      end
    end
    tell("done", { code = code, why = why, changes = changed })
  end
end
