internal import Bytes
internal import DWARF
internal import ObjectFormats

extension ObjectCode {
  /// How many object files that are not at hand are named.
  private static let namedMissing = 4

  /// The tables of a program whose debug information stayed in the object files that `map` names.
  ///
  /// - Parameters:
  ///   - strings: Where the names of the tables lie.
  static func tables(
    of map: DebugMap, in space: CodeSpace, _ supplementary: SupplementaryObjects,
    limits: DWARFLimits,
    strings: inout ByteView, notes: inout [String]
  ) -> CodeTables {
    var found: [(part: DebugMap.Object, object: ObjectFile)] = []
    // Names of the map may mean one file, which is read once for all of them.
    var indices: [ByteView.Identity: Int] = [:]
    var missing: [String] = []
    var missingCount = 0
    for (number, part) in map.objects.enumerated() {
      if let object = supplementary.mapped[number] {
        if let index = indices[object.bytes.identity] {
          found[index].part.functions += part.functions
        } else {
          indices[object.bytes.identity] = found.count
          found.append((part, object))
        }
      } else {
        missingCount += 1
        if missing.count < namedMissing { missing.append(map.path(of: part)) }
      }
    }
    if missingCount > 0 {
      let more = missingCount > missing.count ? ", …" : ""
      notes.append(
        "debug map: \(missingCount) of \(map.objects.count) object files are missing: "
          + missing.joined(separator: ", ") + more)
    }
    let inputSize = found.reduce(0) { $0 + $1.object.bytes.count }
    var reader = DebugMapReader(inputSize: inputSize, space: space, limits: limits)
    for (part, object) in found { reader.add(object, as: part, of: map) }
    notes += reader.notes
    return reader.finish(strings: &strings)
  }
}
