package import OpenIDConnect
package import ServerStore

/// How people may sign in to the pages besides passwords and links.
package struct SignInSettings: Sendable {
  /// An identity provider, and which of its people have accounts.
  package struct Provider: Sendable {
    /// What an account is called after.
    package enum Name: String, Sendable, CaseIterable {
      case userName = "preferred_username"
      /// As far as the provider has verified it.
      case email
    }

    package var provider: IdentityProvider
    /// What people call it.
    package var label: String
    package var name: Name
    /// That of accounts which are made when their people first come; `nil` makes none.
    package var role: Account.Role?
    /// Only people with a verified email address of this domain may sign in; `nil` for all.
    package var domain: String?
    /// Only members of this group may sign in; `nil` for all.
    package var group: String?

    package init(
      provider: IdentityProvider, label: String, name: Name, role: Account.Role?, domain: String?,
      group: String?
    ) {
      self.provider = provider
      self.label = label
      self.name = name
      self.role = role
      self.domain = domain
      self.group = group
    }
  }

  /// A trusted proxy that signs people in and tells their names.
  package struct Proxy: Sendable {
    /// The header with the name; only that of a trusted proxy counts.
    package var header: String
    /// As with ``Provider/role``.
    package var role: Account.Role?

    package init(header: String, role: Account.Role?) {
      self.header = header
      self.role = role
    }
  }

  package var provider: Provider?
  package var proxy: Proxy?
  /// The server's address as people reach it, without a slash at its end; `nil` goes by the `Host` of a request,
  /// which the client chooses.
  package var serverURL: String?

  package init(provider: Provider? = nil, proxy: Proxy? = nil, serverURL: String? = nil) {
    self.provider = provider
    self.proxy = proxy
    self.serverURL = serverURL
  }
}
