import Bytes
import Identifiers
import ObjectFormats
import TestSupport
import Testing

/// The debug files in the repository, and another reader's results for them.
struct ExpectedLookUps: Sendable, CustomTestStringConvertible {
  /// One address and its frames, innermost first.
  struct LookUp {
    var address: UInt64
    var frames: [ExpectedFrame]
  }

  var answers: String
  var file: String
  var architecture: String
  var testDescription: String { "\(file) \(architecture)" }

  static let folder = Samples.symbolsFolder

  /// Every file of the index except those whose debug information is in another.
  static let all: [ExpectedLookUps] = everything.filter { !others.contains($0.file) }

  private static let others = [
    "variants/debuglink", "variants/macho-map-arm64.dylib", "variants/macho-map-x86_64.dylib",
    "variants/wasm32-split.wasm",
  ]

  static let everything: [ExpectedLookUps] = {
    guard let index = try? ByteView(reading: folder + "/expected/index.tsv", limit: 1 << 20)
    else { fatalError("\(folder)/expected/index.tsv cannot be read") }
    return index.text.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count > 2 else { return nil }
      return ExpectedLookUps(answers: columns[0], file: columns[1], architecture: columns[2])
    }
  }()

  func object() throws -> ObjectFile {
    let bytes = try ByteView(reading: "\(Self.folder)/\(file)", limit: 1 << 26)
    let objects = try ObjectFile.objects(in: bytes)
    return objects.first { $0.architecture.description == architecture } ?? objects[0]
  }

  func lookUps() throws -> [LookUp] {
    let text = try ByteView(reading: "\(Self.folder)/expected/\(answers)", limit: 1 << 24).text
    return text.split(separator: "\n").compactMap { line in
      guard let address = ExpectedFrame.text("Address", in: line) else { return nil }
      let frames = ExpectedFrame.objects(in: line).map { ExpectedFrame($0) }
      return LookUp(
        address: UInt64(address.dropFirst(2), radix: 16) ?? 0, frames: frames.filter { !$0.isEmpty }
      )
    }
  }
}

/// A frame of llvm-symbolizer's JSON.
struct ExpectedFrame: Equatable {
  var name: String
  var file: String
  var line: Int
  var column: Int

  var isEmpty: Bool { name.isEmpty && file.isEmpty && line == 0 }

  init(_ text: Substring) {
    name = Self.text("FunctionName", in: text) ?? ""
    file = Self.text("FileName", in: text) ?? ""
    line = Self.number("Line", in: text)
    column = Self.number("Column", in: text)
  }

  init(name: String?, file: String?, line: Int?, column: Int?) {
    self.name = name ?? ""
    self.file = file ?? ""
    self.line = line ?? 0
    self.column = column ?? 0
  }

  /// The objects of the array of symbols; names hold no braces.
  static func objects(in line: Substring) -> [Substring] {
    guard let start = line.range(of: "\"Symbol\":[") else { return [] }
    return line[start.upperBound...].split(separator: "{").filter { $0.contains("\"Line\"") }
  }

  static func text(_ key: String, in text: Substring) -> String? {
    guard let start = text.range(of: "\"\(key)\":\"") else { return nil }
    return String(text[start.upperBound...].prefix { $0 != "\"" })
  }

  static func number(_ key: String, in text: Substring) -> Int {
    guard let start = text.range(of: "\"\(key)\":") else { return 0 }
    return Int(text[start.upperBound...].prefix { $0.isNumber }) ?? 0
  }
}

extension Substring {
  /// The first position of `text`.
  func range(of text: String) -> Range<Index>? {
    let bytes = Array(text.utf8)
    var index = startIndex
    while let start = self[index...].utf8.firstIndex(of: bytes[0]) {
      if self[start...].utf8.starts(with: bytes) {
        return start..<utf8.index(start, offsetBy: bytes.count)
      }
      index = utf8.index(after: start)
    }
    return nil
  }
}
