import Bytes
import TestSupport
import Testing
import ZipFiles

@testable import AppPackages

@Suite struct AppPackagePartTests {
  /// The files of the project's artefacts that each reader parses.
  private static let members: [AppPackagePart: [[UInt8]]] = {
    var found: [AppPackagePart: [[UInt8]]] = [:]
    let folder = Samples.root + "/Artefacts"
    for name in (try? FolderListing.names(in: folder)) ?? [] where name.hasPrefix("Tern-") {
      guard let bytes = try? ByteView(reading: "\(folder)/\(name)", limit: 1 << 20),
        let zip = try? ZipFile(parsing: bytes, limit: 100)
      else { continue }
      for member in zip.members {
        guard let contents = try? zip.contents(of: member, limit: 1 << 20) else { continue }
        for part in AppPackagePart.allCases where (try? part.read(contents)) != nil {
          // A lenient reader takes anything else for an empty message.
          if contents.count > 40 { found[part, default: []].append(contents.array) }
        }
      }
    }
    return found
  }()

  @Test("Every reader detects damage in its part", arguments: AppPackagePart.allCases)
  func damaged(part: AppPackagePart) throws {
    let seeds = try #require(Self.members[part])
    var outcomes = Outcomes()
    for (number, seed) in seeds.prefix(4).enumerated() {
      let step = max(1, seed.count / 400)
      let prefixes = stride(from: 0, to: seed.count, by: step).map { Array(seed[..<$0]) }
      let copies = Mutator.binary(seed, count: 400, seed: UInt64(number + 7))
      var text = Mutator(seed: UInt64(number + 17))
      for input in prefixes + copies + text.copies(of: seed, count: 200) {
        outcomes.count { try part.read(ByteView(input)) }
      }
    }
    #expect(outcomes.isMixed)
  }
}
