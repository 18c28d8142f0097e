internal import CrashModel

/// What the tables hold of an image of a report: one whose debug file was used or could be.
struct ImageRow: Sendable {
  let debugID: String
  let codeID: String?
  let name: String
  let path: String?
  let architecture: String?
  /// Whether frames of the app's own code lie in it, or of nobody's known.
  let isOwn: Bool
  /// Whether a debug file explains it.
  let isUsed: Bool
  /// Whether a debug file could explain it, or more of it.
  let isWaiting: Bool
  /// Whether the file would make a provisional signature a real one.
  let decides: Bool

  /// In the order of their ids, each once.
  static func rows(of report: CrashReport, _ signature: Signature) -> [ImageRow] {
    let own = report.imagesOfOwnFrames
    let deciding = Set(signature.waitsFor)
    var rows: [String: ImageRow] = [:]
    for (index, image) in report.images.enumerated() {
      guard let id = image.debugID, !id.isZero, let symbols = image.symbols else { continue }
      let isUsed = symbols.verdict == .found
      let isWaiting =
        [.missing, .damaged, .stripped].contains(symbols.verdict) || symbols.isSymbolsOnly
        || deciding.contains(id)
      guard isUsed || isWaiting else { continue }
      let known = rows[id.description]
      rows[id.description] = ImageRow(
        debugID: id.description, codeID: image.codeID?.description, name: image.name,
        path: image.path, architecture: image.architecture?.description,
        isOwn: own.contains(index) || known?.isOwn == true, isUsed: isUsed || known?.isUsed == true,
        isWaiting: isWaiting || known?.isWaiting == true, decides: deciding.contains(id))
    }
    for id in deciding where !id.isZero && rows[id.description] == nil {
      rows[id.description] = ImageRow(
        debugID: id.description, codeID: nil, name: "", path: nil, architecture: nil, isOwn: true,
        isUsed: false, isWaiting: true, decides: true)
    }
    return rows.values.sorted { $0.debugID < $1.debugID }
  }
}

/// The system that a report comes from, as far as it tells which debug files its images have.
struct SystemRow: Hashable, Sendable {
  let name: String
  let version: String
  let build: String
  /// Of the device.
  let model: String

  init(of report: CrashReport) {
    name = report.os.name ?? ""
    version = report.os.version ?? ""
    build = report.os.build ?? ""
    model = report.device.model ?? ""
  }
}
