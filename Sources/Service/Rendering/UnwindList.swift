internal import Bytes
internal import CrashService
package import JSON
package import UnwindRules

/// Unwind rules, one line per address.
package struct UnwindList {
  /// Rules with their address range.
  package struct Line {
    /// The linked address.
    package let address: UInt64
    /// The end of the range; `nil` for a requested address.
    package var end: UInt64?
    package let row: UnwindRow?

    package init(address: UInt64, end: UInt64? = nil, row: UnwindRow?) {
      self.address = address
      self.end = end
      self.row = row
    }
  }

  package let rules: UnwindRules
  package let lines: [Line]
  private let registers: UnwindRegisters

  package init(_ rules: UnwindRules, lines: [Line]) {
    self.rules = rules
    self.lines = lines
    registers = UnwindRegisters(rules.architecture)
  }

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([.text("ADDRESS"), .text("CFA", .atEnd), .text("RULES", .atEnd)])
    for line in lines {
      let address = line.address.hexadecimal
      guard let row = line.row else {
        table.add([address, "no rules", ""])
        continue
      }
      table.add([address, cfa(of: row), words(of: row).joined(separator: " ")])
    }
    return table.lines(width: width, styles: styles)
  }

  private func signed(_ offset: Int32) -> String { offset < 0 ? "\(offset)" : "+\(offset)" }

  private func cfa(of row: UnwindRow) -> String {
    switch row.cfa {
    case .unknown: "unknown"
    case .register(let register, let offset): registers.name(of: register) + signed(offset)
    case .expression(let expression): "exp(\(rules.text(of: expression)))"
    }
  }

  /// Returns the rules in readelf's notation, such as `rbx=c-24`, then further facts.
  private func words(of row: UnwindRow) -> [String] {
    var words = (0..<row.ruleCount).map { index in
      let (register, rule) = rules.rule(index, of: row)
      return "\(name(of: register, in: row))=\(text(of: rule))"
    }
    if let parameters = rules.parameterBytes(of: row) { words.append("params=\(parameters)") }
    return words + Self.flagNames(row.flags)
  }

  private func name(of register: UInt16, in row: UnwindRow) -> String {
    register == row.returnAddressRegister ? "ra" : registers.name(of: register)
  }

  private func text(of rule: UnwindRow.Rule) -> String {
    switch rule {
    case .undefined: "u"
    case .sameValue: "s"
    case .offset(let offset): "c" + signed(offset)
    case .valueOffset(let offset): "v" + signed(offset)
    case .register(let register): registers.name(of: register)
    case .expression(let expression): "exp(\(rules.text(of: expression)))"
    case .valueExpression(let expression): "vexp(\(rules.text(of: expression)))"
    }
  }

  private static func flagNames(_ flags: UnwindRow.Flags) -> [String] {
    let names: [(UnwindRow.Flags, String)] = [
      (.signalFrame, "signal"), (.signedReturnAddress, "signed"),
      (.atCallsOnly, "at-calls"), (.searchedReturnAddress, "searched"),
    ]
    return names.filter { flags.contains($0.0) }.map(\.1)
  }

  // MARK: JSON

  package func write(_ line: Line, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("address", line.address.hexadecimal)
    if let end = line.end { writer.member("end", end.hexadecimal) }
    if let row = line.row { write(row, to: &writer) }
    writer.endObject()
  }

  private func write(_ row: UnwindRow, to writer: inout JSONWriter) {
    writer.key("cfa")
    writer.beginObject()
    switch row.cfa {
    case .unknown: break
    case .register(let register, let offset):
      writer.member("register", registers.name(of: register))
      writer.member("number", Int(register))
      writer.member("offset", Int(offset))
    case .expression(let expression):
      writer.member("expression", rules.text(of: expression))
    }
    writer.endObject()
    writer.key("rules")
    writer.beginArray()
    for index in 0..<row.ruleCount {
      let (register, rule) = rules.rule(index, of: row)
      writer.beginObject()
      writer.member("register", registers.name(of: register))
      writer.member("number", Int(register))
      write(rule, to: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.member("return_address", registers.name(of: row.returnAddressRegister))
    if let bytes = rules.parameterBytes(of: row) { writer.member("parameter_bytes", Int(bytes)) }
    let flags = Self.flagNames(row.flags)
    if !flags.isEmpty {
      writer.key("flags")
      writer.beginArray()
      for flag in flags { writer.string(flag) }
      writer.endArray()
    }
  }

  private func write(_ rule: UnwindRow.Rule, to writer: inout JSONWriter) {
    switch rule {
    case .undefined: writer.member("rule", "undefined")
    case .sameValue: writer.member("rule", "same")
    case .offset(let offset):
      writer.member("rule", "saved")
      writer.member("offset", Int(offset))
    case .valueOffset(let offset):
      writer.member("rule", "value")
      writer.member("offset", Int(offset))
    case .register(let register):
      writer.member("rule", "register")
      writer.member("in", registers.name(of: register))
      writer.member("in_number", Int(register))
    case .expression(let expression):
      writer.member("rule", "saved")
      writer.member("expression", rules.text(of: expression))
    case .valueExpression(let expression):
      writer.member("rule", "value")
      writer.member("expression", rules.text(of: expression))
    }
  }
}
