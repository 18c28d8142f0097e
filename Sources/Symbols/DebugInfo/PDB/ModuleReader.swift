internal import Bytes
internal import DWARF
internal import ObjectFormats

/// Reads one module after the other into the tables.
struct ModuleReader: ~Copyable {
  private var tree: InlineTree
  private var layers = LineOverlay()
  /// How many more bytes of streams may be read: modules may name the same stream.
  private var budget: Int

  /// - Parameters:
  ///   - budget: How many bytes of streams may be read.
  ///   - callRanges: How many parts of inlined calls may be made.
  init(budget: Int, callRanges: Int) {
    tree = InlineTree(budget: callRanges)
    self.budget = budget
  }

  var isExhausted: Bool { tree.isExhausted }

  /// - Throws: ``ParseError`` when the module's stream cannot be read.
  mutating func read(
    _ module: PDBModule, index: Int, contributions: borrowing ContributionMap,
    _ context: inout PDBContext
  ) throws(ParseError) {
    guard let number = module.stream else { return }
    guard number < context.file.container.streamCount else {
      throw ParseError(.invalid("stream \(number), which is not there"), in: "module", at: 0)
    }
    let stream = try context.file.container.stream(number)
    guard !stream.isEmpty else { return }
    budget -= stream.count
    guard budget > 0 else {
      throw ParseError(
        .limit(name: "bytes of modules", value: context.file.container.bytes.count),
        in: "module", at: 0)
    }
    var head = ByteReader(stream.bytes, reading: "module")
    let form: UInt32 = try head.read()
    guard form == 4 else { throw head.error(.unsupported("symbols of form \(form)")) }
    do throws(ParseError) {
      try module.check(stream)
    } catch {
      context.note(error, module: index)
    }
    var lines = ModuleLines()
    lines.read(
      module.lines(in: stream), module: index, &context.names, file: context.file,
      contributions: contributions, builder: &context.builder)
    layers.removeAll()
    for row in 0..<lines.rows.count {
      let row = lines.rows[row]
      layers.add(from: row.start, to: row.end, location: row.location)
    }
    do throws(ParseError) {
      try readSymbols(
        module.symbols(in: stream), index: index, contributions: contributions, &lines, &context)
    } catch {
      context.note(error, module: index)
    }
    layers.flatten { start, end, location in
      context.addRow(from: start, to: end, location: location)
    }
  }

  private mutating func readSymbols(
    _ view: ByteView, index: Int, contributions: borrowing ContributionMap,
    _ lines: inout ModuleLines, _ context: inout PDBContext
  ) throws(ParseError) {
    /// The functions of the module by where they begin, for their parts.
    var known: [UInt32: (function: UInt32, entry: UInt32)] = [:]
    let addresses = context.file.addresses
    try ModuleSymbols.forEach(in: view) { item in
      switch item {
      case .function(let function):
        guard
          let start = addresses.linked(section: function.section, offset: function.offset),
          function.size > 0, contributions.isOwner(index, of: start)
        else { return }
        let end = start.addingReportingOverflow(function.size)
        guard !end.overflow else { return }
        let name = context.builder.addName(function.name.bytes)
        let number = context.builder.addFunction(named: name)
        let entry = addresses.moved(start) ?? start
        known[start] = (number, entry)
        guard let scope = context.builder.addScope(of: number, entry: entry) else { return }
        context.addCodeRange(from: start, to: end.partialValue, of: scope)
        guard !function.sites.isEmpty else { return }
        tree.add(
          function, scope: scope, range: start..<end.partialValue, &lines, &layers, &context)
      case .separatedCode(let separated):
        guard let start = addresses.linked(section: separated.section, offset: separated.offset),
          let around = addresses.linked(
            section: separated.functionSection, offset: separated.functionOffset),
          let function = known[around]
        else { return }
        let end = start.addingReportingOverflow(separated.size)
        guard !end.overflow,
          let scope = context.builder.addScope(of: function.function, entry: function.entry)
        else { return }
        context.addCodeRange(from: start, to: end.partialValue, of: scope)
      }
    }
  }
}
