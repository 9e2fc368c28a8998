-- Behind frames.lua: runs the functions of job_submit.lua.
local utf8char = utf8.char
local messages = {}
local priorities = {}

function slurm.user_msg(...)
  messages[#messages + 1] = select("#", ...) > 1 and worded(...) or tostring((...))
end

function slurm.log_user(...)
  messages[#messages + 1] = worded(...)
end

function slurm.get_qos_priority(name)
  return priorities[name]
end

-- A table that is asked for when the script first looks into it.
local function lazy(what)
  local held
  local function whole()
    held = held or ask(what) or {}
    return held
  end
  return setmetatable({}, {
    __index = function(_, key)
      return whole()[key]
    end,
    __pairs = function()
      return next, whole(), nil
    end,
    __len = function()
      return #whole()
    end,
  })
end

-- The jobs: one at a time, and a part of them after the other for a script that looks at all.
local function lazyjobs()
  local held = {}
  return setmetatable({}, {
    __index = function(_, id)
      id = tointeger(tonumber(id))
      if id and held[id] == nil then
        held[id] = ask("job", id) or false
      end
      return id and held[id] or nil
    end,
    __pairs = function()
      local part, place, from = {}, 0, 0
      return function()
        place = place + 1
        if not part[place] then
          part, place = ask("jobs", from) or {}, 1
          from = from + #part
        end
        if part[place] then
          return part[place].job_id, part[place]
        end
      end
    end,
  })
end

local NOTHING = {}

local function reject(name, field, kind, value)
  error(format("%s.%s: %s expected, got %s", name, field, kind, type(value)), 3)
end

local function memory(changed, field, value)
  if field == "pn_min_memory" then
    local percpu = value ~= slurm.NO_VAL64 and value >= slurm.MEM_PER_CPU
    local mib = percpu and tointeger(value - slurm.MEM_PER_CPU) or value
    changed.min_mem_per_cpu = percpu and mib or NOTHING
    changed.min_mem_per_node = (percpu or value == slurm.NO_VAL64) and NOTHING or mib
  else
    changed.pn_min_memory = field == "min_mem_per_cpu" and slurm.MEM_PER_CPU + value or value
    changed[field == "min_mem_per_cpu" and "min_mem_per_node" or "min_mem_per_cpu"] = NOTHING
  end
end

local MEMORY = { pn_min_memory = true, min_mem_per_cpu = true, min_mem_per_node = true }

-- The request: reads come from its fields, writes are checked against the kinds and remembered.
local function descriptor(name, request)
  local fields, kinds, alias = request.fields, request.kinds, request.alias
  local changed, variables = {}, {}
  local environment
  local function read(field)
    field = alias[field] or field
    local value = changed[field]
    if value ~= nil then
      return value ~= NOTHING and value or nil
    end
    value = fields[field]
    if value == nil and (field == "script" or field == "environment") and request[field] then
      value = ask(field)
      if field == "environment" then
        environment = value
        value = setmetatable({}, {
          __index = environment,
          __pairs = function()
            return next, environment, nil
          end,
          __newindex = function(_, key, one)
            environment[key], variables[tostring(key)] = one, one == nil and false or tostring(one)
          end,
        })
      end
      fields[field] = value
    end
    return value
  end
  local proxy = setmetatable({}, {
    __index = function(_, field)
      return read(field)
    end,
    __newindex = function(_, field, value)
      field = alias[field] or field
      local kind = kinds[field]
      if not kind then
        ask("log", { "error", format("%s.%s cannot be set", name, tostring(field)) })
      elseif kind == "s" then
        if value ~= nil and type(value) ~= "string" and type(value) ~= "number" then
          reject(name, field, "string", value)
        end
        changed[field] = value == nil and "" or tostring(value)
      else
        local number = tonumber(value)
        if type(value) == "boolean" then
          number = value and 1 or 0
        end
        number = number and (tointeger(number) or number)
        if not number or number ~= number then
          reject(name, field, "number", value)
        end
        changed[field] = number
        if MEMORY[field] then
          memory(changed, field, number)
        end
      end
    end,
    __pairs = function()
      local all = {}
      for field in pairs(fields) do
        all[field] = read(field)
      end
      for field in pairs(changed) do
        all[field] = read(field)
      end
      return next, all, nil
    end,
  })
  return proxy, function()
    local result = {}
    for field, value in pairs(changed) do
      if value ~= NOTHING and value ~= fields[field] then
        result[field] = value
      end
    end
    if result.script then
      -- Any bytes: each becomes a character of its own, as the caller keeps them.
      result.script = result.script:gsub("[\128-\255]", function(byte)
        return utf8char(byte:byte())
      end)
    end
    if next(variables) then
      result.environment = variables
    end
    return result
  end
end

local REQUIRED = { "slurm_job_submit", "slurm_job_modify" }

while true do
  local request = get(receive(true), 1)
  if request.op == "constants" then
    for name, value in pairs(request.values) do
      rawset(slurm, name, value)
    end
    tell("done")
  elseif request.op == "load" then
    tell("done", loadscript(request.text, request.path, REQUIRED))
  else
    messages, priorities = {}, request.qos
    slurm.jobs, slurm.reservations = lazyjobs(), lazy("reservations")
    local job, changes = descriptor("job_desc", request)
    local code, why
    if request.op == "submit" then
      code, why = called("slurm_job_submit", job, request.partitions, request.uid)
    else
      code, why = called("slurm_job_modify", job, request.record, request.partitions, request.uid)
    end
    tell("done", { code = code, why = why, messages = concat(messages, "\n"), changes = changes() })
  end
end
