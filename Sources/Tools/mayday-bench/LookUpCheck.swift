import Bytes
import Identifiers
import JSON
import ObjectFormats
import SymbolCache

/// Compares look-ups with the results of another symbolizer, file by file.
///
/// Two kinds of differences are counted, but are not faults:
/// - *scope*: the function's DWARF has no linkage name, and the other symbolizer names it without the namespaces and
///   types that its entry lies in.
/// - *no line*: only the symbol table knows the function, and the other symbolizer takes the name of its object file
///   for the source file.
struct LookUpCheck {
  private let folder: String

  init(folder: String) { self.folder = folder }

  private static let ending = ".expected-lookups.json"

  /// - Returns: Whether every look-up of every file agrees.
  func run() -> Bool {
    let files = FileTree.files(below: folder).filter { $0.hasSuffix(Self.ending) }
    guard !files.isEmpty else { return true }
    var lines = [
      ["look-ups in", "addresses", "equal", "scope", "no line", "name", "file", "line", "depth"]
    ]
    var examples: [String] = []
    for file in files {
      var tally = CheckCounts()
      do {
        try compare(file, &tally)
      } catch {
        examples.append("  \(error)")
      }
      let numbers = [
        tally.addresses, tally.equal, tally.scope, tally.noLine, tally.name, tally.file, tally.line,
        tally.depth,
      ]
      lines.append([String(file.dropLast(Self.ending.count))] + numbers.map { String($0) })
      examples += tally.examples.map { "  \(file): \($0)" }
    }
    print("")
    TextTable.print(lines)
    for example in examples.prefix(40) { print(example) }
    return examples.isEmpty
  }

  private struct CheckCounts {
    var addresses = 0
    var equal = 0
    var scope = 0
    var noLine = 0
    var name = 0
    var file = 0
    var line = 0
    var depth = 0
    var examples: [String] = []
  }

  private func compare(_ path: String, _ tally: inout CheckCounts) throws {
    let expected = try JSONDocument.parse(
      ByteView(reading: folder + "/" + path, limit: 256 << 20), limits: .report)
    let base = expected.value["image_base"]?.address ?? 0
    let object = try self.object(for: folder + "/" + path.dropLast(Self.ending.count))
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    for lookUp in expected.value["lookups"]?.array ?? [] {
      guard let address = lookUp["address"]?.address, let wanted = lookUp["frames"]?.array else {
        continue
      }
      tally.addresses += 1
      var found: [SourceFrame] = []
      // The image base of PE files is linked; a PDB counts from it.
      let start = object.container == .pe ? base : base &+ object.imageBase
      cache.lookUp(ImageOffset(address &- start), into: &found)
      switch difference(wanted, found, &tally) {
      case .none: tally.equal += 1
      case .scope: tally.scope += 1
      case .noLine: tally.noLine += 1
      case .fault(let difference):
        if tally.examples.count < 3 {
          tally.examples.append("\(address.hexadecimal): \(difference)")
        }
      }
    }
  }

  private enum Difference {
    case none, scope, noLine
    case fault(String)
  }

  private func difference(
    _ wanted: [JSONValue], _ found: [SourceFrame], _ tally: inout CheckCounts
  ) -> Difference {
    let wanted = wanted.filter { $0["function"]?.string != "" || $0["file"]?.string != "" }
    guard wanted.count == found.count else {
      tally.depth += 1
      return .fault("\(wanted.count) frames expected, \(found.count) found")
    }
    var result = Difference.none
    for (frame, own) in zip(wanted, found) {
      let name = frame["function"]?.string ?? ""
      if name != own.name ?? "" {
        guard own.name?.hasSuffix("::" + name) == true, !name.isEmpty else {
          tally.name += 1
          return .fault("name \(name) expected, \(own.name ?? "none") found")
        }
        result = .scope
      }
      let file = frame["file"]?.string ?? ""
      let line = frame["line"]?.integer ?? 0
      if file != own.file ?? "" {
        guard own.file == nil, line == 0, !file.contains("/") else {
          tally.file += 1
          return .fault("file \(file) expected, \(own.file ?? "none") found")
        }
        result = .noLine
      }
      if line != own.line ?? 0 {
        tally.line += 1
        return .fault("line \(line) expected, \(own.line ?? 0) found")
      }
    }
    return result
  }

  /// Returns the object to which the addresses of `path` belong; `X.arm64` is that slice of `X`, and debug
  /// files are next to it as `X.dSYM` or `X.dwarf`.
  private func object(for path: String) throws -> ObjectFile {
    var candidates = [path]
    var architecture: String?
    if let dot = path.lastIndex(of: "."), path.index(after: dot) < path.endIndex {
      architecture = String(path[path.index(after: dot)...])
      candidates.append(String(path[..<dot]))
    }
    for (index, candidate) in candidates.enumerated() {
      let bundle = candidate + ".dSYM/Contents/Resources/DWARF"
      let names =
        FileTree.files(below: bundle).map { bundle + "/" + $0 }
        + FileTree.files(below: candidate + ".dSYM").map { candidate + ".dSYM/" + $0 }
        + [candidate + ".dSYM", candidate + ".dwarf", candidate]
      for name in names {
        guard let bytes = try? ByteView(mapping: name),
          let objects = try? ObjectFile.objects(in: bytes)
        else { continue }
        let wanted = index == 0 ? nil : architecture
        if let object = objects.first(where: {
          wanted == nil || $0.architecture.description == wanted
        }) {
          return database(of: object, at: name) ?? object
        }
      }
    }
    throw ParseError(.unsupported("this kind of file"), in: path, at: 0)
  }

  /// Returns the PDB next to a program for Windows, under its name.
  private func database(of object: ObjectFile, at path: String) -> ObjectFile? {
    guard object.pe?.programDatabase != nil, let dot = path.lastIndex(of: "."),
      let bytes = try? ByteView(mapping: path[..<dot] + ".pdb"),
      let database = try? ObjectFile.objects(in: bytes).first,
      database.debugID == object.debugID
    else { return nil }
    return database
  }
}
