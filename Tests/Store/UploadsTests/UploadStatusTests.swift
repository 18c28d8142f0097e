import Testing

@testable import Uploads

@Suite struct UploadStatusTests {
  @Test("The statuses in statements equal those in existing homes")
  func names() {
    #expect(Upload.Status.open == "'created', 'committed', 'processing'")
    #expect(Upload.Status.ended == "'aborted', 'failed', 'indexed'")
  }
}
