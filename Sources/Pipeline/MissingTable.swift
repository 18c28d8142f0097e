internal import CrashModel

/// Counts the images whose debug files are missing.
struct MissingTable {
  private var counts: [Identity: (image: LoadedImage, reports: Int)] = [:]

  private struct Identity: Hashable {
    let debugID: DebugID?
    let name: String?
  }

  mutating func count(_ report: CrashReport) {
    for image in report.images where image.symbols?.verdict == .missing {
      let id = image.debugID
      counts[Identity(debugID: id, name: id == nil ? image.name : nil), default: (image, 0)]
        .reports += 1
    }
  }

  /// The most wanted first.
  var ranked: [MissingSymbols] {
    counts.values
      .map { image, reports in
        MissingSymbols(
          name: image.name, debugID: image.debugID, codeID: image.codeID,
          architecture: image.architecture, reports: reports)
      }
      .sorted {
        ($1.reports, $0.name, $0.debugID?.description ?? "")
          < ($0.reports, $1.name, $1.debugID?.description ?? "")
      }
  }
}
