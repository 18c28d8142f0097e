package import Bytes

/// The debugger's entries of the symbol table that make up a debug map.
///
///     TYPE  NAME     VALUE
///     0x64  N_SO     a source file begins, or, without a name, ends
///     0x66  N_OSO    path of an object file; when it was last written
///     0x24  N_FUN    a function; its address. The next one, without a name: its size
///     0x20  N_GSYM, 0x26 N_STSYM  data, which is never looked up
///
/// Source: mach-o/stab.h; the order as ld64 and lld write it.
private enum MachStab {
  static let function: UInt8 = 0x24
  static let object: UInt8 = 0x66
  static let mask: UInt8 = 0xe0
}

extension MachOFile {
  /// Where the functions of the program lie in the object files that hold its debug information;
  /// `nil` where it remembers none.
  ///
  /// - Throws: ``ParseError`` for a table that lies outside the file.
  /// - Complexity: O(n) in the number of symbols and the length of their names.
  package func debugMap() throws(ParseError) -> DebugMap? {
    var objects: [DebugMap.Object] = []
    /// By the offset of the path: an object is named once, and read once whatever the file says.
    var numbers: [UInt32: Int] = [:]
    var current: Int?
    var pending: (nameOffset: Int, count: Int, address: UInt64)?

    func finish(size: UInt64) {
      if let function = pending, let current {
        objects[current].functions.append(
          DebugMap.Function(
            nameOffset: UInt32(function.nameOffset), nameCount: UInt32(clamping: function.count),
            address: function.address, size: size))
      }
      pending = nil
    }

    let names = try forEachSymbol { (symbol, names, strings) throws(ParseError) in
      guard symbol.type & MachStab.mask != 0 else { return true }
      switch symbol.type {
      case MachStab.object:
        finish(size: 0)
        guard let count = try names.count(at: UInt64(symbol.nameOffset)), count > 0 else {
          return true
        }
        current = numbers[symbol.nameOffset]
        guard current == nil else { return true }
        current = objects.count
        numbers[symbol.nameOffset] = objects.count
        objects.append(
          DebugMap.Object(
            pathOffset: symbol.nameOffset,
            pathCount: UInt32(min(count, ObjectLimits.pathBytes)), modified: symbol.value))
      case MachStab.function:
        guard let count = try names.count(at: UInt64(symbol.nameOffset)) else { return true }
        if count == 0 {
          finish(size: symbol.value)
        } else {
          finish(size: 0)
          let isPrefixed = strings[Int(symbol.nameOffset)] == UInt8(ascii: "_")
          pending = (
            Int(symbol.nameOffset) + (isPrefixed ? 1 : 0), count - (isPrefixed ? 1 : 0),
            symbol.value & ~thumbBit
          )
        }
      default: break
      }
      return true
    }
    finish(size: 0)
    let used = objects.filter { !$0.functions.isEmpty }
    return used.isEmpty ? nil : DebugMap(names: names, objects: used)
  }

  /// Whether the symbol table names an object file.
  ///
  /// - Complexity: O(n) in the number of symbols at worst, which is when there is none.
  package var hasDebugMap: Bool {
    var isFound = false
    _ = try? forEachSymbol { (symbol, _, _) throws(ParseError) in
      isFound = symbol.type == MachStab.object
      return !isFound
    }
    return isFound
  }
}
