import Testing

@testable import Uploads

@Suite struct UploadStatusTests {
  @Test("The statuses in statements are those that homes have in their rows")
  func names() {
    #expect(Upload.Status.open == "'created', 'committed', 'processing'")
    #expect(Upload.Status.ended == "'aborted', 'failed', 'indexed'")
  }
}
