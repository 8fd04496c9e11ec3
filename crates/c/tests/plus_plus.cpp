// The header is C++, and its types can be members and arguments of templates.
#include <cstdio>
#include <memory>
#include <vector>

#include "check.h"
#include "moissanite.h"

namespace {

struct Free {
    void operator()(moissanite_signing_key *key) const { moissanite_signing_key_free(&key); }
    void operator()(moissanite_verifying_key *key) const { moissanite_verifying_key_free(&key); }
};

class Writer {
public:
    moissanite_sink sink() { return moissanite_sink{write, this}; }
    std::vector<uint8_t> bytes;

private:
    static int write(void *user, const uint8_t *piece, size_t length)
    {
        auto &bytes = static_cast<Writer *>(user)->bytes;
        bytes.insert(bytes.end(), piece, piece + length);
        return 0;
    }
};

}  // namespace

int main()
{
    moissanite_signing_key *made = nullptr;
    OK(moissanite_signing_key_generate(MOISSANITE_ML_DSA_65, &made));
    const std::unique_ptr<moissanite_signing_key, Free> key(made);
    moissanite_verifying_key *public_half = nullptr;
    OK(moissanite_signing_key_public(key.get(), &public_half));
    const std::unique_ptr<moissanite_verifying_key, Free> verifying(public_half);

    const std::vector<uint8_t> message(1000, 7);
    std::vector<uint8_t> seed(MOISSANITE_SEED_LENGTH);
    OK(moissanite_signing_key_seed(key.get(), seed.data(), seed.size()));
    auto in_pieces = std::make_unique<moissanite_stream_key>();
    OK(moissanite_stream_key_from_seed(in_pieces.get(), MOISSANITE_ML_DSA_65, seed.data(), seed.size()));
    OK(moissanite_wipe(seed.data(), seed.size()));

    moissanite_bytes bytes{message.data(), message.size()};
    const moissanite_source source{moissanite_read_memory, &bytes};
    Writer writer;
    const moissanite_sink sink = writer.sink();
    OK(moissanite_stream_sign(in_pieces.get(), nullptr, nullptr, 0, &source, message.size(), &sink));
    OK(moissanite_stream_key_wipe(in_pieces.get()));
    OK(moissanite_verify(verifying.get(), nullptr, 0, message.data(), message.size(), writer.bytes.data(),
                         writer.bytes.size()));
    std::puts("C++: signed and verified");
    return 0;
}
