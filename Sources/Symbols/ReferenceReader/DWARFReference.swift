internal import CDwarf
internal import Glibc

/// libdwarf's facts about the file on standard input: functions and inlined calls with their code,
/// and line rows, in the order of the units.
///
/// Written for comparison: it follows libdwarf's own rules and shares nothing with Mayday's reader.
struct DWARFReference {
  private let limits: ReferenceLimits
  private var debug: Dwarf_Debug?
  /// The number of the name of the entry at an offset; 0 for none.
  private var names: [UInt64: UInt64] = [:]
  private var nameNumbers: [UnsafePointer<CChar>: UInt64] = [:]
  private var scopedNumbers: [String: UInt64] = [:]
  /// The prefixes of functions without a linkage name, by the offsets of their entries, in the units that
  /// were searched; and the prefixes of the functions of types.
  private var prefixes: [UInt64: String] = [:]
  private var typePrefixes: [UInt64: String] = [:]
  private var searchedUnits: Set<UInt64> = []
  private var pathNumbers: [String: UInt64] = [:]
  /// The line tables that were written, by their offset.
  private var doneTables: Set<UInt64> = []
  /// The paths of the current unit, by libdwarf's index.
  private var files: [UInt64] = []
  /// The number to subtract from a file's number for its index.
  private var firstFile: UInt64 = 1
  /// The offset of the current unit.
  private var unitOffset: UInt64 = 0
  /// The start of the unit's code, which range lists before version 5 are relative to.
  private var base: UInt64 = 0
  private var version: UInt16 = 0
  private var addressSize: UInt16 = 8
  /// How many functions and calls were written.
  private var scopeCount: UInt64 = 0
  private var codeRanges: [(start: UInt64, end: UInt64)] = []

  init(limits: ReferenceLimits) { self.limits = limits }

  mutating func write(to output: inout ReferenceOutput) {
    var error: Dwarf_Error?
    // Everything is freed here, entry by entry; the library need not keep lists of it.
    dwarf_set_de_alloc_flag(0)
    lseek(0, 0, SEEK_SET)
    let status = dwarf_init_b(
      0, UInt64(DW_DLC_READ), UInt32(DW_GROUPNUMBER_ANY), nil, nil, &debug, &error)
    guard status == DW_DLV_OK, let debug else {
      if status != DW_DLV_NO_ENTRY { problem(0, &error, to: &output) }
      return
    }
    while true {
      var length: Dwarf_Unsigned = 0
      var abbreviations: Dwarf_Off = 0
      var offsetSize: Dwarf_Half = 0
      var extensionSize: Dwarf_Half = 0
      var signature = Dwarf_Sig8()
      var typeOffset: Dwarf_Unsigned = 0
      var next: Dwarf_Unsigned = 0
      var kind: Dwarf_Half = 0
      let status = dwarf_next_cu_header_d(
        debug, 1, &length, &version, &abbreviations, &addressSize, &offsetSize, &extensionSize,
        &signature, &typeOffset, &next, &kind, &error)
      guard status == DW_DLV_OK else {
        if status == DW_DLV_ERROR { problem(unitOffset, &error, to: &output) }
        return
      }
      if Int32(kind) == DW_UT_type || Int32(kind) == DW_UT_split_type { continue }
      var root: Dwarf_Die?
      guard dwarf_siblingof_b(debug, nil, 1, &root, &error) == DW_DLV_OK, let root else {
        problem(unitOffset, &error, to: &output)
        continue
      }
      writeUnit(root, to: &output)
      dwarf_dealloc_die(root)
    }
  }

  private func problem(
    _ offset: UInt64, _ error: inout Dwarf_Error?, to output: inout ReferenceOutput
  ) {
    let words = error.flatMap { dwarf_errmsg($0) }.map { String(cString: $0) }
    output.problem(at: offset, "libdwarf: \(words ?? "cannot be read")")
    discard(&error)
  }

  private func discard(_ error: inout Dwarf_Error?) {
    if let given = error { dwarf_dealloc_error(debug, given) }
    error = nil
  }

  // MARK: Units

  private mutating func writeUnit(_ root: Dwarf_Die, to output: inout ReferenceOutput) {
    var error: Dwarf_Error?
    unitOffset = offset(of: root)
    output.begin(.unit)
    output.put(unitOffset)
    var low: Dwarf_Addr = 0
    base = dwarf_lowpc(root, &low, &error) == DW_DLV_OK ? low : 0
    discard(&error)
    readFiles(root, to: &output)
    writeRows(root, to: &output)
    walk(root, to: &output)
  }

  private func offset(of entry: Dwarf_Die) -> UInt64 {
    var offset: Dwarf_Off = 0
    var error: Dwarf_Error?
    if dwarf_dieoffset(entry, &offset, &error) == DW_DLV_OK { return offset }
    discard(&error)
    return .max
  }

  /// An open entry, and the scope that contains its children; `nil` outside functions with code.
  private struct Open {
    var entry: Dwarf_Die
    var scope: UInt64?
  }

  /// Visits every entry below the root, without recursion.
  private mutating func walk(_ root: Dwarf_Die, to output: inout ReferenceOutput) {
    var error: Dwarf_Error?
    var open: [Open] = []
    var child: Dwarf_Die?
    guard dwarf_child(root, &child, &error) == DW_DLV_OK, let first = child else {
      if error != nil { problem(unitOffset, &error, to: &output) }
      return
    }
    open.append(Open(entry: first, scope: nil))
    while let top = open.last {
      var scope = open.count > 1 ? open[open.count - 2].scope : nil
      var tag: Dwarf_Half = 0
      if dwarf_tag(top.entry, &tag, &error) == DW_DLV_OK {
        switch Int32(tag) {
        case DW_TAG_subprogram:
          scope = nil
          if collectPieces(top.entry, to: &output) {
            writeFunction(top.entry, to: &output)
            scope = takeScope()
          }
        case DW_TAG_inlined_subroutine:
          if let around = scope {
            _ = collectPieces(top.entry, to: &output)
            writeCall(top.entry, in: around, to: &output)
            scope = takeScope()
          }
        default: break
        }
      }
      discard(&error)
      open[open.count - 1].scope = scope
      child = nil
      if open.count < limits.depth, dwarf_child(top.entry, &child, &error) == DW_DLV_OK, let child {
        open.append(Open(entry: child, scope: nil))
        continue
      }
      if error != nil { problem(unitOffset, &error, to: &output) }
      // Continues with the sibling of this entry or of one around it.
      while let last = open.popLast() {
        var next: Dwarf_Die?
        let status = dwarf_siblingof_b(debug, last.entry, 1, &next, &error)
        dwarf_dealloc_die(last.entry)
        if status == DW_DLV_OK, let next {
          open.append(Open(entry: next, scope: nil))
          break
        }
        if status == DW_DLV_ERROR { problem(unitOffset, &error, to: &output) }
      }
    }
  }

  private mutating func takeScope() -> UInt64 {
    scopeCount += 1
    return scopeCount - 1
  }

  private mutating func writeFunction(_ entry: Dwarf_Die, to output: inout ReferenceOutput) {
    let name = self.name(of: entry, to: &output)
    output.begin(.function)
    output.put(offset(of: entry))
    output.put(name)
    putPieces(to: &output)
  }

  private mutating func writeCall(
    _ entry: Dwarf_Die, in scope: UInt64, to output: inout ReferenceOutput
  ) {
    let name = self.name(of: entry, to: &output)
    let file = number(entry, DW_AT_call_file) ?? .max
    output.begin(.call)
    output.put(scope)
    output.put(name)
    output.put(path(file))
    output.put(number(entry, DW_AT_call_line) ?? 0)
    output.put(number(entry, DW_AT_call_column) ?? 0)
    putPieces(to: &output)
  }

  private func putPieces(to output: inout ReferenceOutput) {
    output.put(UInt64(codeRanges.count))
    for codeRange in codeRanges {
      output.put(codeRange.start)
      output.put(codeRange.end &- codeRange.start)
    }
  }

  // MARK: Attributes

  private func attribute(_ entry: Dwarf_Die, _ name: Int32) -> Dwarf_Attribute? {
    var attribute: Dwarf_Attribute?
    var error: Dwarf_Error?
    let status = dwarf_attr(entry, Dwarf_Half(name), &attribute, &error)
    discard(&error)
    return status == DW_DLV_OK ? attribute : nil
  }

  private func number(_ entry: Dwarf_Die, _ name: Int32) -> UInt64? {
    guard let attribute = attribute(entry, name) else { return nil }
    defer { dwarf_dealloc_attribute(attribute) }
    return number(attribute)
  }

  private func number(_ attribute: Dwarf_Attribute) -> UInt64? {
    var error: Dwarf_Error?
    var value: Dwarf_Unsigned = 0
    if dwarf_formudata(attribute, &value, &error) == DW_DLV_OK { return value }
    discard(&error)
    var signed: Dwarf_Signed = 0
    if dwarf_formsdata(attribute, &signed, &error) == DW_DLV_OK {
      return UInt64(bitPattern: Int64(signed))
    }
    discard(&error)
    var offset: Dwarf_Off = 0
    if dwarf_global_formref(attribute, &offset, &error) == DW_DLV_OK { return offset }
    discard(&error)
    return nil
  }

  private func string(_ entry: Dwarf_Die, _ name: Int32) -> UnsafePointer<CChar>? {
    guard let attribute = attribute(entry, name) else { return nil }
    defer { dwarf_dealloc_attribute(attribute) }
    var text: UnsafeMutablePointer<CChar>?
    var error: Dwarf_Error?
    guard dwarf_formstring(attribute, &text, &error) == DW_DLV_OK, let text else {
      discard(&error)
      return nil
    }
    return UnsafePointer(text)
  }

  /// The entry that an attribute refers to, in this section.
  private func target(_ entry: Dwarf_Die, _ name: Int32) -> UInt64? {
    guard let attribute = attribute(entry, name) else { return nil }
    defer { dwarf_dealloc_attribute(attribute) }
    var form: Dwarf_Half = 0
    var offset: Dwarf_Off = 0
    var error: Dwarf_Error?
    guard dwarf_whatform(attribute, &form, &error) == DW_DLV_OK,
      ![DW_FORM_ref_sig8, DW_FORM_GNU_ref_alt, DW_FORM_ref_sup4, DW_FORM_ref_sup8]
        .contains(Int32(form)),
      dwarf_global_formref(attribute, &offset, &error) == DW_DLV_OK
    else {
      discard(&error)
      return nil
    }
    return offset
  }

  // MARK: Names

  /// The number of an entry's name: the first linkage name along the chain of its origins and specifications,
  /// or otherwise the first plain name.
  private mutating func name(of entry: Dwarf_Die, to output: inout ReferenceOutput) -> UInt64 {
    if let known = names[offset(of: entry)] { return known }
    var plain: UnsafePointer<CChar>?
    var entry = entry
    var owned: Dwarf_Die?
    defer { if let owned { dwarf_dealloc_die(owned) } }
    var passed: [UInt64] = []
    var found: UnsafePointer<CChar>?
    var prefix: String?
    for _ in 0..<limits.originHops {
      passed.append(offset(of: entry))
      found = string(entry, DW_AT_linkage_name) ?? string(entry, DW_AT_MIPS_linkage_name)
      if found != nil { break }
      if plain == nil, let name = string(entry, DW_AT_name) {
        plain = name
        prefix = self.prefix(of: entry)
      }
      guard
        let origin = target(entry, DW_AT_specification) ?? target(entry, DW_AT_abstract_origin)
      else { break }
      var next: Dwarf_Die?
      var error: Dwarf_Error?
      guard dwarf_offdie_b(debug, origin, 1, &next, &error) == DW_DLV_OK, let next else {
        discard(&error)
        break
      }
      if let owned { dwarf_dealloc_die(owned) }
      owned = next
      entry = next
    }
    let number =
      found == nil && prefix != nil
      ? nameNumber(prefix, before: plain, to: &output) : nameNumber(found ?? plain, to: &output)
    // Not for the entries in between, which may have plain names of their own.
    if let first = passed.first { names[first] = number }
    if passed.count > 1, found != nil { names[passed[1]] = number }
    return number
  }

  private mutating func nameNumber(
    _ text: UnsafePointer<CChar>?, to output: inout ReferenceOutput
  ) -> UInt64 {
    guard let text, text.pointee != 0 else { return 0 }
    if let known = nameNumbers[text] { return known }
    output.begin(.name)
    output.put(text, limit: limits.nameLength)
    let number = UInt64(nameNumbers.count + scopedNumbers.count + 1)
    nameNumbers[text] = number
    return number
  }

  private mutating func nameNumber(
    _ prefix: String?, before text: UnsafePointer<CChar>?, to output: inout ReferenceOutput
  ) -> UInt64 {
    guard let prefix, let text, text.pointee != 0 else { return nameNumber(text, to: &output) }
    let name = prefix + String(cString: text)
    if let known = scopedNumbers[name] { return known }
    output.begin(.name)
    name.withCString { output.put($0, limit: limits.nameLength) }
    // One number for each: names of both kinds are counted together.
    let number = UInt64(nameNumbers.count + scopedNumbers.count + 1)
    scopedNumbers[name] = number
    return number
  }

  /// The namespaces and types around a C++ function that other units cannot name; `nil` for none.
  private mutating func prefix(of entry: Dwarf_Die) -> String? {
    if let external = attribute(entry, DW_AT_external) {
      dwarf_dealloc_attribute(external)
      return nil
    }
    var error: Dwarf_Error?
    var unit: Dwarf_Off = 0
    guard dwarf_CU_dieoffset_given_die(entry, &unit, &error) == DW_DLV_OK else {
      discard(&error)
      return nil
    }
    if searchedUnits.insert(unit).inserted {
      var root: Dwarf_Die?
      guard dwarf_offdie_b(debug, unit, 1, &root, &error) == DW_DLV_OK, let root else {
        discard(&error)
        return nil
      }
      let language = number(root, DW_AT_language) ?? 0
      // C++ of any version, Objective-C++, and units without a language. Source: dwarfstd.org, language
      // codes.
      if [0, 0x04, 0x11, 0x19, 0x1a, 0x21, 0x2a, 0x2b, 0x3a].contains(language) {
        searchNames(below: root, after: "", depth: 0)
      }
      dwarf_dealloc_die(root)
    }
    return prefixes[offset(of: entry)]
  }

  /// Records the prefixes of the functions in namespaces and types.
  private mutating func searchNames(below entry: Dwarf_Die, after prefix: String, depth: Int) {
    var error: Dwarf_Error?
    var next: Dwarf_Die?
    guard depth < limits.depth, dwarf_child(entry, &next, &error) == DW_DLV_OK else {
      return discard(&error)
    }
    while let child = next {
      var tag: Dwarf_Half = 0
      if dwarf_tag(child, &tag, &error) == DW_DLV_OK {
        let name = string(child, DW_AT_name).map { String(cString: $0) }
        switch Int32(tag) {
        case DW_TAG_namespace:
          searchNames(
            below: child, after: prefix + (name ?? "(anonymous namespace)") + "::", depth: depth + 1
          )
        case DW_TAG_class_type, DW_TAG_structure_type, DW_TAG_union_type:
          var inner = name.map { prefix + $0 + "::" } ?? prefix
          // Defined outside the scope of its declaration.
          if name == nil, let declared = target(child, DW_AT_specification) {
            inner = typePrefixes[declared] ?? inner
          }
          typePrefixes[offset(of: child)] = inner
          searchNames(below: child, after: inner, depth: depth + 1)
        case DW_TAG_subprogram where !prefix.isEmpty: prefixes[offset(of: child)] = prefix
        default: break
        }
      }
      discard(&error)
      next = nil
      let status = dwarf_siblingof_b(debug, child, 1, &next, &error)
      dwarf_dealloc_die(child)
      discard(&error)
      if status != DW_DLV_OK { break }
    }
  }

  private mutating func pathNumber(
    _ text: UnsafePointer<CChar>?, to output: inout ReferenceOutput
  ) -> UInt64 {
    guard let text, text.pointee != 0 else { return 0 }
    let path = String(cString: text)
    if let known = pathNumbers[path] { return known }
    output.begin(.path)
    output.put(text, limit: limits.nameLength)
    let number = UInt64(pathNumbers.count + 1)
    pathNumbers[path] = number
    return number
  }

  // MARK: Code

  /// Adds the code of an entry to ``codeRanges``; false when it has none.
  private mutating func collectPieces(
    _ entry: Dwarf_Die, to output: inout ReferenceOutput
  ) -> Bool {
    codeRanges.removeAll(keepingCapacity: true)
    var error: Dwarf_Error?
    var low: Dwarf_Addr = 0
    if let ranges = attribute(entry, DW_AT_ranges) {
      collect(ranges, of: entry, to: &output)
      dwarf_dealloc_attribute(ranges)
    } else if dwarf_lowpc(entry, &low, &error) == DW_DLV_OK {
      var high: Dwarf_Addr = 0
      var form: Dwarf_Half = 0
      var formClass = DW_FORM_CLASS_UNKNOWN
      if dwarf_highpc_b(entry, &high, &form, &formClass, &error) == DW_DLV_OK {
        add(low, formClass == DW_FORM_CLASS_ADDRESS ? high : low &+ high)
      }
    }
    discard(&error)
    return !codeRanges.isEmpty
  }

  private mutating func add(_ start: UInt64, _ end: UInt64) {
    // Addresses that linkers write for removed code.
    let mask: UInt64 = addressSize >= 8 ? .max : (1 << (UInt64(addressSize) * 8)) - 1
    guard start & mask < end & mask, start & mask < mask - 1 else { return }
    codeRanges.append((start & mask, end & mask))
  }

  private mutating func collect(
    _ ranges: Dwarf_Attribute, of entry: Dwarf_Die, to output: inout ReferenceOutput
  ) {
    var error: Dwarf_Error?
    if version >= 5 {
      var form: Dwarf_Half = 0
      var listOffset: Dwarf_Unsigned = 0
      guard dwarf_whatform(ranges, &form, &error) == DW_DLV_OK else { return discard(&error) }
      guard let number = number(ranges) else { return }
      listOffset = number
      var head: Dwarf_Rnglists_Head?
      var count: Dwarf_Unsigned = 0
      var global: Dwarf_Unsigned = 0
      guard
        dwarf_rnglists_get_rle_head(ranges, form, listOffset, &head, &count, &global, &error)
          == DW_DLV_OK, let head
      else { return problem(offset(of: entry), &error, to: &output) }
      for index in 0..<count {
        var length: UInt32 = 0
        var code: UInt32 = 0
        var raw1: Dwarf_Unsigned = 0
        var raw2: Dwarf_Unsigned = 0
        var isMissing: Dwarf_Bool = 0
        var start: Dwarf_Unsigned = 0
        var end: Dwarf_Unsigned = 0
        guard
          dwarf_get_rnglists_entry_fields_a(
            head, index, &length, &code, &raw1, &raw2, &isMissing, &start, &end, &error)
            == DW_DLV_OK
        else {
          problem(offset(of: entry), &error, to: &output)
          break
        }
        switch Int32(code) {
        case DW_RLE_end_of_list, DW_RLE_base_address, DW_RLE_base_addressx: break
        default: if isMissing == 0 { add(start, end) }
        }
      }
      dwarf_dealloc_rnglists_head(head)
      return
    }
    guard let listOffset = number(ranges) else { return }
    var real: Dwarf_Off = 0
    var list: UnsafeMutablePointer<Dwarf_Ranges>?
    var count: Dwarf_Signed = 0
    var size: Dwarf_Unsigned = 0
    guard
      dwarf_get_ranges_b(debug, listOffset, entry, &real, &list, &count, &size, &error)
        == DW_DLV_OK,
      let list
    else { return problem(offset(of: entry), &error, to: &output) }
    var base = self.base
    for index in 0..<Int(count) {
      let range = list[index]
      if range.dwr_type == DW_RANGES_ADDRESS_SELECTION {
        base = range.dwr_addr2
      } else if range.dwr_type == DW_RANGES_ENTRY, range.dwr_addr1 < .max - 1 {
        add(base &+ range.dwr_addr1, base &+ range.dwr_addr2)
      }
    }
    dwarf_ranges_dealloc(debug, list, count)
  }

  // MARK: Lines

  /// The files of the unit's line table, as libdwarf joins their paths.
  private mutating func readFiles(_ root: Dwarf_Die, to output: inout ReferenceOutput) {
    files.removeAll(keepingCapacity: true)
    var error: Dwarf_Error?
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var count: Dwarf_Signed = 0
    guard dwarf_srcfiles(root, &list, &count, &error) == DW_DLV_OK, let list else {
      if error != nil { problem(unitOffset, &error, to: &output) }
      return
    }
    for index in 0..<Int(count) {
      files.append(pathNumber(list[index], to: &output))
      dwarf_dealloc(debug, list[index], UInt64(DW_DLA_STRING))
    }
    dwarf_dealloc(debug, list, UInt64(DW_DLA_LIST))
  }

  private func path(_ file: UInt64) -> UInt64 {
    let index = file &- firstFile
    return index < UInt64(files.count) ? files[Int(index)] : 0
  }

  /// Whether an epilogue begins at a row: libdwarf 20210528 reports such a row as the end of a sequence.
  private func isEpilogue(_ line: Dwarf_Line) -> Bool {
    var prologueEnd: Dwarf_Bool = 0
    var epilogueBegin: Dwarf_Bool = 0
    var isa: Dwarf_Unsigned = 0
    var discriminator: Dwarf_Unsigned = 0
    var error: Dwarf_Error?
    let status = dwarf_prologue_end_etc(
      line, &prologueEnd, &epilogueBegin, &isa, &discriminator, &error)
    discard(&error)
    return status == DW_DLV_OK && epilogueBegin != 0
  }

  private mutating func writeRows(_ root: Dwarf_Die, to output: inout ReferenceOutput) {
    var error: Dwarf_Error?
    var tableVersion: Dwarf_Unsigned = 0
    var tableCount: Dwarf_Small = 0
    var context: Dwarf_Line_Context?
    guard let table = number(root, DW_AT_stmt_list) else { return }
    guard
      dwarf_srclines_b(root, &tableVersion, &tableCount, &context, &error) == DW_DLV_OK, let context
    else {
      if error != nil { problem(unitOffset, &error, to: &output) }
      return
    }
    defer { dwarf_srclines_dealloc_b(context) }
    // Files count from 0 in version 5, from 1 before.
    firstFile = tableVersion >= 5 ? 0 : 1
    guard doneTables.insert(table).inserted else { return }
    var lines: UnsafeMutablePointer<Dwarf_Line?>?
    var count: Dwarf_Signed = 0
    guard dwarf_srclines_from_linecontext(context, &lines, &count, &error) == DW_DLV_OK, let lines
    else {
      if error != nil { problem(unitOffset, &error, to: &output) }
      return
    }
    var hasFile = tableVersion < 5
    for index in 0..<Int(count) {
      guard let line = lines[index] else { continue }
      var address: Dwarf_Addr = 0
      var isEnd: Dwarf_Bool = 0
      guard dwarf_lineaddr(line, &address, &error) == DW_DLV_OK,
        dwarf_lineendsequence(line, &isEnd, &error) == DW_DLV_OK
      else {
        discard(&error)
        continue
      }
      if isEnd != 0, !isEpilogue(line) {
        // libdwarf begins each sequence of version 5 with file 0 instead of file 1: until another file is
        // set, the actual one is unknown.
        hasFile = tableVersion < 5
        output.begin(.end)
        output.put(address)
        continue
      }
      var number: Dwarf_Unsigned = 0
      var column: Dwarf_Unsigned = 0
      var file: Dwarf_Unsigned = 0
      _ = dwarf_lineno(line, &number, &error)
      discard(&error)
      _ = dwarf_lineoff_b(line, &column, &error)
      discard(&error)
      if dwarf_line_srcfileno(line, &file, &error) != DW_DLV_OK { file = .max }
      discard(&error)
      if file != 0 { hasFile = true }
      output.begin(.row)
      output.put(address)
      output.put(hasFile ? path(file) : ReferenceRecord.unknownPath)
      output.put(number)
      output.put(column)
    }
  }
}
