internal import CrashModel
internal import Identifiers

/// The columns of an image of a report whose debug file was used or could be.
struct ImageRow: Sendable {
  /// The debug id, or `name:` and the file name of an image that has no build id: see ``NameOnlyImage``.
  let debugID: String
  let codeID: String?
  let name: String
  let path: String?
  let architecture: String?
  /// The package that it was installed from.
  let package: ImagePackage?
  /// Whether it contains frames of the app's own code, or of unknown origin.
  let isOwn: Bool
  /// Whether a debug file explains it.
  let isUsed: Bool
  /// Whether a debug file could explain it, or more of it.
  let isWaiting: Bool
  /// Whether the file would complete a provisional signature.
  let decides: Bool
  /// Whether the report lacks nothing of it, because it names the functions and lines of its frames itself.
  let isNamed: Bool

  /// Returns the rows in the order of their ids, each once.
  static func rows(of report: CrashReport, _ signature: Signature) -> [ImageRow] {
    let own = report.inAppImages
    let named = report.namedImages
    let deciding = Set(signature.waitsFor)
    var rows: [String: ImageRow] = [:]
    for (index, image) in report.images.enumerated() {
      guard let symbols = image.symbols else { continue }
      guard let id = image.debugID, !id.isZero else {
        for row in Self.rows(
          ofNameless: image, symbols, isOwn: own.contains(index), isNamed: named.contains(index))
        {
          rows[row.debugID] = row.joined(with: rows[row.debugID])
        }
        continue
      }
      // A file without symbols may hold the rules by which the stack was walked.
      let isUsed = symbols.verdict == .found || symbols.verdict == .stripped
      let isWaiting =
        [.missing, .damaged, .stripped].contains(symbols.verdict) || symbols.isSymbolsOnly
        || symbols.lacksUnwindRules || deciding.contains(id)
      guard isUsed || isWaiting else { continue }
      rows[id.description] = ImageRow(
        debugID: id.description, codeID: image.codeID?.description, name: image.name,
        path: image.path, architecture: image.architecture?.description, package: image.package,
        isOwn: own.contains(index), isUsed: isUsed, isWaiting: isWaiting,
        decides: deciding.contains(id), isNamed: named.contains(index) && !deciding.contains(id)
      ).joined(with: rows[id.description])
    }
    for id in deciding where !id.isZero && rows[id.description] == nil {
      rows[id.description] = ImageRow(
        debugID: id.description, codeID: nil, name: "", path: nil, architecture: nil, package: nil,
        isOwn: true, isUsed: false, isWaiting: true, decides: true, isNamed: false)
    }
    return rows.values.sorted { $0.debugID < $1.debugID }
  }

  /// Returns the rows of an image that has no build id: one for its name, and one for its assumed build, so
  /// that a debug file in use is not removed.
  private static func rows(
    ofNameless image: LoadedImage, _ symbols: SymbolStatus, isOwn: Bool, isNamed: Bool
  ) -> [ImageRow] {
    // An identity that leads to no debug id, such as that of a program for Windows, is not a name.
    guard !image.hasBuildID, symbols.verdict != .unneeded else { return [] }
    func row(_ id: String, isWaiting: Bool) -> ImageRow {
      ImageRow(
        debugID: id, codeID: nil, name: image.fileName, path: image.path,
        architecture: image.architecture?.description, package: image.package, isOwn: isOwn,
        isUsed: symbols.verdict == .found, isWaiting: isWaiting, decides: false, isNamed: isNamed)
    }
    let named = row(
      NameOnlyImage.key(of: image.fileName),
      isWaiting: symbols.verdict != .found || symbols.isSymbolsOnly)
    guard symbols.verdict == .found, let id = symbols.assumedID, !id.isZero else { return [named] }
    return [named, row(id.description, isWaiting: false)]
  }

  /// Returns both rows as one, where a report names an image twice.
  private func joined(with other: ImageRow?) -> ImageRow {
    guard let other else { return self }
    let areOwnNamed = (isNamed || !isOwn) && (other.isNamed || !other.isOwn)
    return ImageRow(
      debugID: debugID, codeID: codeID ?? other.codeID, name: name, path: path,
      architecture: architecture, package: package ?? other.package, isOwn: isOwn || other.isOwn,
      isUsed: isUsed || other.isUsed,
      isWaiting: isWaiting || other.isWaiting, decides: decides || other.decides,
      isNamed: areOwnNamed && (isNamed || other.isNamed))
  }
}

/// The key of an image whose report names no build: `name:` and its file name, in place of a debug id.
enum NameOnlyImage {
  private static let prefix = "name:"

  static func key(of fileName: String) -> String { prefix + fileName }

  /// Returns the file name in such a key; `nil` for a debug id.
  static func fileName(in key: String) -> String? {
    key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
  }
}

/// The system that a report comes from, as far as it determines which debug files its images have.
struct SystemRow: Hashable, Sendable {
  let name: String
  let version: String
  let build: String
  /// Model of the device.
  let model: String

  init(of report: CrashReport) {
    name = report.os.name ?? ""
    version = report.os.version ?? ""
    build = report.os.build ?? ""
    model = report.device.model ?? ""
  }
}
