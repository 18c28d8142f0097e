import CrashModel
import CrashStore
import Identifiers
import ObjectFormats
import Pipeline
import SymbolCache
import SymbolSources
import Symbolication
import Updates

/// Checks that the programs and libraries of a build have debug files with functions and lines.
struct BuildCheck {
  struct Finding {
    enum FindingVerdict: String {
      case complete = "ok"
      /// Functions, but no lines.
      case noLines = "no-lines"
      /// Lines, but some functions and inlined calls are in files that are missing.
      case incomplete
      /// Only the stripped binary exists.
      case stripped
      /// There is no debug file for a binary in an artefact.
      case missing
      /// There is a debug file, but of another build.
      case wrongID = "wrong-id"
      case damaged
      /// Without an id, reports cannot refer to it.
      case noID = "no-id"
    }

    var path: String
    var architecture: Architecture?
    var debugID: DebugID?
    var verdict: FindingVerdict
    var reason: String?
    /// The debug file that explains it, completely or in part.
    var debugFile: String?

    /// Adopts the verdict on another file.
    mutating func take(_ other: Finding) {
      verdict = other.verdict
      reason = other.reason
      debugFile = other.debugFile
    }
  }

  private let scan: DebugFileScan
  private let index: DebugFileIndex
  private let stored: StoredSymbols?
  private let pool: SymbolCachePool
  private let exceptions: [String]

  /// - Parameters:
  ///   - store: A store whose debug files count, too.
  ///   - exceptions: Names of files that need no debug file; a trailing `*` matches any ending.
  init(_ scan: DebugFileScan, store: CrashStore?, exceptions: [String]) {
    self.scan = scan
    index = DebugFileIndex(scan)
    stored = store.map { StoredSymbols(in: $0) }
    pool = SymbolCachePool(folder: store?.caches)
    self.exceptions = exceptions
  }

  /// One finding for each binary, in the order found, and for each debug file without one; then the
  /// files that could not be read.
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

  /// One finding for each executable, library and file of code in an artefact, in its order.
  func findings(of package: AppPackage) throws -> [Finding] {
    try package.binaries.compactMap { binary in
      let name = binary.path.split { $0 == "/" || $0 == "!" }.last.map(String.init) ?? ""
      return isException(name) ? nil : try finding(binary, named: name)
    }
  }

  private func finding(_ binary: AppPackage.Binary, named name: String) throws -> Finding {
    var finding = Finding(
      path: binary.path, architecture: binary.architecture, debugID: binary.debugID,
      verdict: .missing)
    guard binary.debugID != nil else { return Self.withoutID(finding) }
    let image = LoadedImage(
      name: name, architecture: binary.architecture, debugID: binary.debugID, codeID: nil)
    if image.isManaged {
      let found = try index.mappings(for: image) + (stored?.mappings(for: image) ?? [])
      if let mapping = found.first { finding.take(Self.finding(mapping)) }
    } else {
      let found = try index.candidates(for: image) + (stored?.candidates(for: image) ?? [])
      for candidate in found where finding.verdict != .complete {
        look(at: candidate, for: &finding)
      }
    }
    if finding.verdict == .missing { finding.reason = "no debug file with its id" }
    return finding
  }

  private static func withoutID(_ finding: Finding) -> Finding {
    var finding = finding
    finding.verdict = .noID
    finding.reason = "no build id or UUID by which a report could name it"
    return finding
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

  private func isException(_ file: DebugFile) -> Bool { isException(file.name) }

  private func isException(_ name: String) -> Bool {
    exceptions.contains { exception in
      exception.hasSuffix("*") ? name.hasPrefix(exception.dropLast()) : name == exception
    }
  }

  private func finding(_ file: DebugFile) throws -> Finding {
    var finding = Finding(
      path: file.path, architecture: file.architecture, debugID: file.debugID, verdict: .stripped)
    guard file.debugID != nil || file.codeID != nil else { return Self.withoutID(finding) }
    if file.debugID == nil, file.object.container == .pe {
      // Minidumps contain its time stamp and size, but nothing links a debug file or a text report to it.
      finding.verdict = .noID
      finding.reason = "no CodeView record; link with -Wl,--build-id (MinGW) or /DEBUG"
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

  /// Records the verdict on a candidate if it is better than the one before.
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
      guard finding.verdict == .stripped || finding.verdict == .missing else { return }
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
