internal import Bytes

extension WasmFile {
  /// Where a function's instructions lie: addresses as DWARF has them.
  private struct Body {
    var start: UInt64
    var size: UInt64
    var nameOffset = 0
    var nameCount = 0
    var isExported = false
  }

  /// The functions that the section `name` or the exports name; the name section counts before an
  /// export, as it has the names of the source. `names` are the module's own bytes.
  ///
  /// - Complexity: O(n) in the number of functions and names.
  func symbolTable() -> SymbolTable {
    var bodies = functionBodies()
    guard !bodies.isEmpty else { return .empty }
    for section in sections where section.id == WasmSection.exports {
      try? nameExports(of: section, &bodies)
    }
    for section in sections where section.id == WasmSection.custom && section.name == "name" {
      try? nameFunctions(of: section, &bodies)
    }
    let symbols = bodies.compactMap { body in
      body.nameCount == 0 || body.size == 0
        ? nil
        : ObjectSymbol(
          address: body.start, size: body.size, nameOffset: body.nameOffset,
          nameCount: body.nameCount, isGlobal: body.isExported, isWeak: false)
    }
    return SymbolTable(names: bytes, sorting: symbols)
  }

  /// Whether ``symbolTable()`` would name a function.
  var hasFunctions: Bool { !symbolTable().symbols.isEmpty }

  /// The bodies in the code section: a count, and for each its size and as many bytes. Behind one
  /// that is damaged nothing is found.
  ///
  /// Source: WebAssembly core specification, 5.5.13 "Code Section".
  private func functionBodies() -> [Body] {
    guard let code else { return [] }
    let view = contents(of: code)
    var reader = ByteReader(view.bytes, reading: "code section")
    var bodies: [Body] = []
    guard let count = try? reader.readWasmCount() else { return [] }
    for _ in 0..<count {
      guard let size = try? reader.readWasmCount() else { break }
      let start = reader.position
      guard size > 0, (try? reader.skip(size)) != nil else { break }
      bodies.append(Body(start: UInt64(start), size: UInt64(size)))
    }
    return bodies
  }

  /// The exports of kind 0: a name, the kind, and an index.
  ///
  /// Source: WebAssembly core specification, 5.5.10 "Export Section".
  private func nameExports(of section: WasmSection, _ bodies: inout [Body]) throws(ParseError) {
    let view = contents(of: section)
    var reader = ByteReader(view.bytes, reading: "exports")
    for _ in 0..<(try reader.readWasmCount()) {
      let count = try reader.readWasmCount()
      let offset = section.offset + reader.position
      try reader.skip(count)
      let kind: UInt8 = try reader.read()
      let index = try reader.readWasmCount() - importedFunctions
      guard kind == 0, bodies.indices.contains(index) else { continue }
      bodies[index].isExported = true
      guard bodies[index].nameCount == 0 else { continue }
      bodies[index].nameOffset = offset
      bodies[index].nameCount = count
    }
  }

  /// The names of subsection 1: a count, and for each function its index and its name.
  ///
  /// Source: WebAssembly core specification, appendix 7.4 "Name Section".
  private func nameFunctions(of section: WasmSection, _ bodies: inout [Body]) throws(ParseError) {
    let view = contents(of: section)
    var reader = ByteReader(view.bytes, reading: "name section")
    while !reader.isAtEnd {
      let kind: UInt8 = try reader.read()
      let size = try reader.readWasmCount()
      guard kind == 1 else {
        try reader.skip(size)
        continue
      }
      for _ in 0..<(try reader.readWasmCount()) {
        let index = try reader.readWasmCount() - importedFunctions
        let count = try reader.readWasmCount()
        let offset = section.offset + reader.position
        try reader.skip(count)
        guard bodies.indices.contains(index), count > 0 else { continue }
        bodies[index].nameOffset = offset
        bodies[index].nameCount = count
      }
      return
    }
  }
}
