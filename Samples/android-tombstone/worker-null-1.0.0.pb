Pgoogle/sdk_gphone64_x86_64/emu64xa:14/UE1A.230829.036/11228894:user/release-keys0""2026-11-20 09:41:07.481920173+0100(ç$0ï$8§OBu:r:untrusted_app:s0Japp.example.ternRSIGSEGV"SEGV_MAPERR@Hz
null pointer dereference‚ğç$êç$app.example.tern"iœÜœÜ˜€Ôã"syscall(2./apex/com.android.runtime/lib64/bionic/libc.soB a87908b48b368e6282bcc9f34bcfc28c"nëòëò™€Ôã"pthread_join(k2./apex/com.android.runtime/lib64/bionic/libc.soB a87908b48b368e6282bcc9f34bcfc28c"…¢…¢à¢ã2I/data/app/~~kQ3vTn1xT8a==/app.example.tern-Zb7vOq==/lib/x86_64/libtern.soB(cc2d19272e32c23387437d85bce6e9088126e779"—†—†à¢ã2I/data/app/~~kQ3vTn1xT8a==/app.example.tern-Zb7vOq==/lib/x86_64/libtern.soB(cc2d19272e32c23387437d85bce6e9088126e779"€ËuËõ€à¢ã2I/data/app/~~kQ3vTn1xT8a==/app.example.tern-Zb7vOq==/lib/x86_64/libtern.soB(cc2d19272e32c23387437d85bce6e9088126e779"mœÆœÆ–€Ôã"__libc_init(l2./apex/com.android.runtime/lib64/bionic/libc.soB a87908b48b368e6282bcc9f34bcfc28c‚õï$ïï$tern picker
rax
rbx€Àªà¢ã
rcxœÜ˜€Ôã
rdx
r8
r9	
r10Òÿ
r11Æ
r12
r13À•üß¢ã
r14ÀÀªà¢ã
r15
rdi
rsi
rbpÀ–üß¢ã
rsp€•üß¢ã
ripÈ¤à¢ã"È¤È¤à¢ã2I/data/app/~~kQ3vTn1xT8a==/app.example.tern-Zb7vOq==/lib/x86_64/libtern.soB(cc2d19272e32c23387437d85bce6e9088126e779"¯ğ…'ğ…§è¢ã""std::__ndk1::__thread_proxy(void*)(02M/data/app/~~kQ3vTn1xT8a==/app.example.tern-Zb7vOq==/base.apk!libc++_shared.so8€€}B(5cd0f62d3e1b3a4a6ee5d41d2a6ecc9e42b1a7f0"yğí2ğí²€Ôã"__pthread_start(void*)(Ğ2./apex/com.android.runtime/lib64/bionic/libc.soB a87908b48b368e6282bcc9f34bcfc28c"pàˆàˆ™€Ôã"__start_thread(@2./apex/com.android.runtime/lib64/bionic/libc.soB a87908b48b368e6282bcc9f34bcfc28c 	°€ 