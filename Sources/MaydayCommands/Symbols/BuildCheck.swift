import CrashModel
import CrashStore
import ObjectFormats
import Pipeline
import SymbolCache
import SymbolSources
import Symbolication

/// Whether the programs and libraries of a build have debug files that give functions and lines.
struct BuildCheck {
  struct Finding {
    enum Verdict: String {
      case complete = "ok"
      /// Functions, but no lines.
      case noLines = "no-lines"
      /// Lines, but a part of the functions and inlined calls is in files that are not there.
      case incomplete
      /// Nothing but the stripped binary is there.
      case stripped
      /// A debug file is there, of another build.
      case wrongID = "wrong-id"
      case damaged
      /// Without an id no report can name it.
      case noID = "no-id"
    }

    var path: String
    var architecture: Architecture?
    var debugID: DebugID?
    var verdict: Verdict
    var reason: String?
    /// The debug file that explains it, or does not explain enough.
    var debugFile: String?
  }

  private let scan: DebugFileScan
  private let index: DebugFileIndex
  private let stored: StoredSymbols?
  private let pool: SymbolCachePool
  private let exceptions: [String]

  /// - Parameters:
  ///   - store: Whose debug files count too.
  ///   - exceptions: Names of files that need no debug file; a star at the end stands for any end.
  init(_ scan: DebugFileScan, store: CrashStore?, exceptions: [String]) {
    self.scan = scan
    index = DebugFileIndex(scan)
    stored = store.map { StoredSymbols(in: $0) }
    pool = SymbolCachePool(folder: store?.caches)
    self.exceptions = exceptions
  }

  /// One for each binary, in the order in which they were found, and for each debug file without
  /// one; then what could not be read.
  func findings(
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> [Finding] {
    let binaries = scan.files.filter { Self.isBinary($0) && !isException($0) }
    let known = Set(scan.files.filter(Self.isBinary).compactMap(\.debugID))
    let alone = scan.files.filter { file in
      !Self.isBinary(file) && !isException(file)
        && file.debugID.map { !known.contains($0) } != false
    }
    var findings: [Finding] = []
    for file in binaries + alone {
      findings.append(try finding(file))
      progress(findings.count, binaries.count + alone.count)
    }
    return findings + scan.mappings.map(Self.finding)
      + scan.refusals.map {
        Finding(path: $0.path, verdict: .damaged, reason: $0.reason)
      }
  }

  private static func finding(_ mapping: MappingFile) -> Finding {
    var finding = Finding(
      path: mapping.path, architecture: mapping.architecture, debugID: mapping.debugID,
      verdict: .complete, debugFile: mapping.path)
    if mapping.facts?.classes == 0 {
      finding.verdict = .damaged
      finding.reason = "it names no class"
    }
    return finding
  }

  private static func isBinary(_ file: DebugFile) -> Bool {
    file.object.kind == .executable || file.object.kind == .library
  }

  private func isException(_ file: DebugFile) -> Bool {
    exceptions.contains { exception in
      exception.hasSuffix("*")
        ? file.name.hasPrefix(exception.dropLast()) : file.name == exception
    }
  }

  private func finding(_ file: DebugFile) throws -> Finding {
    var finding = Finding(
      path: file.path, architecture: file.architecture, debugID: file.debugID, verdict: .stripped)
    guard file.debugID != nil || file.codeID != nil else {
      finding.verdict = .noID
      finding.reason = "no build id or UUID by which a report could name it"
      return finding
    }
    let image = LoadedImage(
      name: file.name, architecture: file.architecture, debugID: file.debugID, codeID: file.codeID)
    let candidates = try index.candidates(for: image) + (stored?.candidates(for: image) ?? [])
    for candidate in candidates {
      look(at: candidate, for: &finding)
      if finding.verdict == .complete { return finding }
    }
    if finding.verdict == .stripped { explain(file, &finding) }
    return finding
  }

  /// The verdict on a candidate; a better one than before stays.
  private func look(at candidate: DebugFile, for finding: inout Finding) {
    guard candidate.usability != .stripped else { return }
    switch pool.cache(for: candidate) {
    case .success(let cache)
    where cache.hasDebugInfo && cache.hasLines && !candidate.missingParts.isEmpty:
      finding.verdict = .incomplete
      let count = candidate.missingParts.count
      finding.reason =
        "without \(candidate.missingParts[0])" + (count > 1 ? " and \(count - 1) more" : "")
    case .success(let cache) where cache.hasDebugInfo && cache.hasLines:
      finding.verdict = .complete
      finding.reason = nil
    case .success:
      guard finding.verdict != .noLines, finding.verdict != .incomplete else { return }
      finding.verdict = .noLines
      finding.reason = "function names, but no lines"
    case .failure(let error):
      guard finding.verdict == .stripped else { return }
      finding.verdict = .damaged
      finding.reason = "\(error)"
    }
    finding.debugFile = candidate.path
  }

  /// Why a stripped binary has no debug file.
  private func explain(_ file: DebugFile, _ finding: inout Finding) {
    let names = [file.name, file.name + ".debug"]
    let other = scan.files.first {
      names.contains($0.name) && $0.architecture == file.architecture
        && $0.usability == .debugInfo && $0.debugID != file.debugID
    }
    if let other {
      finding.verdict = .wrongID
      finding.debugFile = other.path
      finding.reason =
        "\(other.path) is of another build: \(other.debugID?.description ?? "it has no id")"
    } else {
      finding.reason = "stripped, and no debug file with its id"
    }
  }
}
