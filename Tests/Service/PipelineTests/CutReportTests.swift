import Bytes
import CrashInput
import CrashModel
import Pipeline
import TestSupport
import Testing

@Suite struct CutReportTests {
  @Test("Reports truncated before their images are provisional, one group for each bug")
  func beforeImages() throws {
    let processor = Samples.processor()
    var whole: [String: String] = [:]
    var cut: [String: String] = [:]
    InputWalker().walk([Samples.path("apple-ips")]) { file in
      guard let bytes = try? file.content.get(),
        let images = bytes.text.firstRange(of: "\"usedImages\"")
      else { return .next }
      let start = bytes.text[..<images.lowerBound]
      guard let report = try? processor.process(bytes).first?.report,
        let rest = try? processor.process(ByteView(start.utf8)).first?.report,
        let signature = report.signature, let cutSignature = rest.signature
      else {
        Issue.record("\(file.path) is not read")
        return .next
      }
      #expect(rest.images.isEmpty)
      // A report that arrived with names has them without images, too.
      let isNamed = cutSignature.text == signature.text
      #expect(isNamed || cutSignature.isProvisional, "\(file.path): \(cutSignature.text)")
      whole[file.path] = signature.key
      cut[file.path] = cutSignature.key
      return .next
    }
    #expect(whole.count > 20)
    // The remaining facts merge no two bugs.
    for (one, key) in cut {
      for (other, otherKey) in cut where key == otherKey {
        #expect(whole[one] == whole[other], "\(one), \(other)")
      }
    }
  }
}
