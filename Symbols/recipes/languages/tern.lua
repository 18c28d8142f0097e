-- Crashes; run by make-languages.sh.
local function line(lines, n)
  return lines[n].total
end

local function charge(desk)
  local total = line(desk, 7)
  return total
end

charge({})
