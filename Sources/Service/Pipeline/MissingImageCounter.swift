internal import CrashModel
internal import Identifiers

/// Counts the images whose debug files are missing, without those whose frames the reports name themselves.
struct MissingImageCounter {
  private var counts: [Identity: (image: LoadedImage, reports: Int, isOwn: Bool)] = [:]

  private struct Identity: Hashable {
    let debugID: DebugID?
    let name: String?
  }

  mutating func count(_ report: CrashReport) {
    let own = report.inAppImages
    let named = report.namedImages
    for (index, image) in report.images.enumerated() where image.symbols?.verdict == .missing {
      if named.contains(index) { continue }
      let identity = Identity(
        debugID: image.debugID, name: image.debugID == nil ? image.name : nil)
      counts[identity, default: (image, 0, false)].reports += 1
      if own.contains(index) { counts[identity]?.isOwn = true }
    }
  }

  /// The missing images: the app's own first, then those with the most reports.
  var ranked: [MissingSymbols] {
    counts.values
      .map { image, reports, isOwn in
        MissingSymbols(
          name: image.name, debugID: image.debugID, codeID: image.codeID,
          architecture: image.architecture, reports: reports, isOwn: isOwn)
      }
      .sorted {
        ($1.isOwn ? 1 : 0, $1.reports, $0.name, $0.debugID?.description ?? "")
          < ($0.isOwn ? 1 : 0, $0.reports, $1.name, $1.debugID?.description ?? "")
      }
  }
}
