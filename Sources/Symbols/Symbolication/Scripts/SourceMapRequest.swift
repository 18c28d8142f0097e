internal import CrashModel
internal import SymbolSources

/// The scripts that the frames of a report name.
struct SourceMapRequest {
  struct Script {
    var path: ScriptPath
    /// An image of the report that names the map's id.
    var image: Int?
    /// Whether a call is at a location that is not hand-written code.
    var looksGenerated: Bool
  }

  /// In the order in which frames name them, with the file as spelled in the frames.
  private(set) var scripts: [(file: String, script: Script)] = []
  /// The index of each file that was seen; -1 for one that is not a script.
  private var known: [String: Int] = [:]

  /// The most scripts that are searched for; a page rarely has more than a few dozen.
  private static let most = 256
  private static let mostFiles = 10_000

  init(of report: CrashReport) {
    report.forEachStack { frames in
      for frame in frames { add(frame) }
    }
    guard !scripts.isEmpty else { return }
    for (index, image) in report.images.enumerated() where image.architecture == .javaScript {
      guard let path = image.path else { continue }
      if let exact = known[path], exact >= 0 {
        scripts[exact].script.image = index
        continue
      }
      guard let path = ScriptPath(path) else { continue }
      for other in scripts.indices where scripts[other].script.path == path {
        scripts[other].script.image = scripts[other].script.image ?? index
      }
    }
  }

  private mutating func add(_ frame: Frame) {
    guard frame.address == nil, let file = frame.file, let line = frame.line else { return }
    if let index = known[file] {
      guard index >= 0 else { return }
      if scripts[index].script.path.looksGenerated(line: line, column: frame.column) {
        scripts[index].script.looksGenerated = true
      }
      return
    }
    guard scripts.count < Self.most, let path = ScriptPath(file) else {
      if known.count < Self.mostFiles { known[file] = -1 }
      return
    }
    known[file] = scripts.count
    let looksGenerated = path.looksGenerated(line: line, column: frame.column)
    scripts.append((file, Script(path: path, looksGenerated: looksGenerated)))
  }
}
