// The light that leaves what is seen toward the eye.

const int THINGS = MOST + 5;    // bodies, then the parts of a stage
const int GLINTS = 3;           // into the surroundings

uniform vec3 eye;
uniform float pixel_width;      // at distance 1
uniform ivec2 origin;           // of the image within the target
uniform int view_transform;     // 0 none, 1 standard, 2 filmic
uniform vec3 sky;
uniform sampler2D first_shares; // of the lamps, that are seen
uniform sampler2D other_shares; // the same for the other thing of a pixel

// things: where they are, and what they are made of (textures.py, Finish)
uniform vec4 pose[THINGS];
uniform vec2 turn[THINGS];
uniform vec4 color[THINGS];         // and metalness
uniform vec4 gloss[THINGS];         // and index of refraction
uniform vec4 lobes[THINGS];         // two roughnesses, share of the second; velvet's index
uniform vec4 pattern[THINGS];       // layer of the maps or -1, size of a tile; velvet's width; whether it is probed
uniform sampler2DArray color_maps;  // square root of the color; roughness
uniform sampler2DArray relief_maps; // slope along u and v; metalness

// light from elsewhere
uniform vec3 bounced[6];            // irradiance of what looks along +x, -x, +y, -y, +z, -z
uniform vec3 ball_light[BODIES];    // the mean radiance of bodies
uniform sampler2D surroundings;     // what bodies see: 3 x 2 faces of a cube, one body above the other

out vec4 pixel;

vec4 lit;                           // share of each lamp that is seen
float distance;                     // of the eye
vec3 to_eye;

struct Look { vec3 color; float metalness; vec2 roughness; vec3 normal; };

// ------------------------------------------------------------------------------------------------------ patterns

// Three flat projections, mixed where two of them meet: as Blender's box projection with a blend of 0.3.
vec3 box_weights(vec3 n) {
    n = abs(n) / (abs(n.x) + abs(n.y) + abs(n.z));
    vec3 w = max(n - 0.25, 0.0);
    w *= w;
    return w / (w.x + w.y + w.z);
}

void add_map(inout vec4 seen, inout vec4 relief, float weight, vec2 uv, vec3 u_axis, vec3 v_axis, float level) {
    if (weight > 0.01) {
        vec3 at = vec3(uv, pattern[own].x);
        vec4 found = textureLod(relief_maps, at, level);
        seen += weight * textureLod(color_maps, at, level);
        relief += weight * vec4((found.x * 4.0 - 2.0) * u_axis + (found.y * 4.0 - 2.0) * v_axis, found.z);
    }
}

Look look_of(float cosine) {
    Look look = Look(color[own].rgb, color[own].a, lobes[own].xy, facing);
#if PATTERNS
    if (pattern[own].x >= 0.0) {
        mat3 spin = mat3(turn[own].x, turn[own].y, 0, -turn[own].y, turn[own].x, 0, 0, 0, 1);
        vec3 p = (place - pose[own].xyz) * spin / (pose[own].w * pattern[own].y), n = facing * spin;
        vec3 flip = vec3(n.x < 0.0 ? -1 : 1, n.y > 0.0 ? -1 : 1, n.z > 0.0 ? -1 : 1), w = box_weights(n);
        float covers = pixel_width * distance / (pose[own].w * pattern[own].y * sqrt(max(cosine, 0.1)));
        float level = max(log2(1.5 * covers * float(textureSize(color_maps, 0).x)), 0.0);  // 1.5: Cycles' filter
        vec4 seen = vec4(0), relief = vec4(0);
        add_map(seen, relief, w.x, vec2(flip.x * p.y, p.z), vec3(0, flip.x, 0), vec3(0, 0, 1), level);
        add_map(seen, relief, w.y, vec2(flip.y * p.x, p.z), vec3(flip.y, 0, 0), vec3(0, 0, 1), level);
        add_map(seen, relief, w.z, vec2(flip.z * p.y, p.x), vec3(0, flip.z, 0), vec3(1, 0, 0), level);
        vec3 bent = normalize(n - (relief.xyz - n * dot(n, relief.xyz)));
        look = Look(seen.rgb * seen.rgb, relief.w, vec2(max(seen.a, 0.1)), spin * bent);
    }
#endif
    return look;
}

// ------------------------------------------------------------------------------------------------------- shadows

// The share of each lamp that is seen: the mean of 2 x 2 pixels, as far as they show the same thing in the same plane.
vec4 shares_around(ivec2 at, float thing, vec4 here) {
    vec4 sum = 0.01 * here;
    float count = 0.01, near = pixel_width * distance;
#if SAMPLES > 1  // the faces of a body's surroundings lie side by side
    ivec2 last = textureSize(first_shares, 0) - 1;
    int k = 0;
    for (int left = here == vec4(1) ? 0 : 4; left > 0; left--) {
        ivec2 beside = min(at + ivec2(k % 2, k / 2), last);
        vec4 seen = texelFetch(seen_place, beside, 0);
        float counts = seen.w == thing && abs(dot(seen.xyz - place, facing)) < near ? 1.0 : 0.0;
        sum += counts * texelFetch(first_shares, beside, 0);
        count += counts;
        k++;
    }
#endif
    return sum / count;
}

// -------------------------------------------------------------------------------------------- light from elsewhere

vec3 bounced_along(vec3 n) {
    vec3 w = n * n;
    return w.x * bounced[n.x < 0.0 ? 1 : 0] + w.y * bounced[n.y < 0.0 ? 3 : 2] + w.z * bounced[n.z < 0.0 ? 5 : 4];
}

// Irradiance by way of the stage and the other bodies, which also stand in its way.
vec3 indirect(vec3 n) {
    vec3 from_bodies = vec3(0);
    float open = 1.0;
    for (int k = 0; k < BODIES; k++) {
        if (k == own) continue;
        vec3 to = ball[k].xyz - place;
        float squared = max(dot(to, to), ball[k].w * ball[k].w);
        float cosine = dot(n, to) * inversesqrt(squared);
        float share = ball[k].w * ball[k].w / squared * clamp(0.5 * (cosine + 0.6), 0.0, 1.0);
        from_bodies += share * PI * ball_light[k];
        open *= 1.0 - min(share, 1.0);
    }
    // a body that stands on the floor darkens what its own underside sees of it
    float reaches = ball[min(own, BODIES - 1)].w;
    if (own < BODIES) open *= mix(1.0, 0.4 + 0.6 * smoothstep(0.0, 1.4 * reaches, place.z), 0.5 - 0.5 * n.z);
    return open * bounced_along(n) + from_bodies;
}

// What is seen along a way; `level` halves the faces of the cube so often.
vec3 probe(vec3 way, float level) {
    vec3 size = abs(way);
    int axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    vec2 uv = vec2(way[(axis + 1) % 3], way[(axis + 2) % 3]) / size[axis] * 0.5 + 0.5;
    vec2 corner = vec2(axis, way[axis] < 0.0 ? 2 * own + 1 : 2 * own), whole = vec2(textureSize(surroundings, 0));
    float rim = 1.5 * exp2(level) / whole.x;  // half a pixel, of a third of the width
    return textureLod(surroundings, (corner + clamp(uv, rim, 1.0 - rim)) * whole.x / 3.0 / whole, level).rgb;
}

// How far along a ray another body is met, taken for a ball of so many times its radius; far away where none is.
float meets_body(vec3 from, vec3 way, float grown) {
    float reach = 1e9;
    for (int k = 0; k < BODIES; k++) {
        vec3 to = ball[k].xyz - from;
        float along = dot(to, way), inside = grown * grown * ball[k].w * ball[k].w + along * along - dot(to, to);
        if (k != own && inside > 0.0 && along > 0.0) reach = min(reach, max(along - sqrt(inside), 0.0));
    }
    return reach;
}

// Radiance from a direction by the probe, which was drawn from the body's middle: what the ray meets, another body or the
// floor, is looked up where it is. What a body hides from the middle but not from here is as bright as the stage is.
vec3 probed_along(vec3 way, float level) {
    vec3 middle = ball[min(own, BODIES - 1)].xyz;
    float floor = way.z < -0.02 ? max(place.z, 0.02) / -way.z : 1e9, body = meets_body(place, way, 1.0);
    float reach = min(floor, body);
    vec3 met = reach < 30.0 ? place + reach * way - middle : way;
    bool hidden = body > floor && meets_body(middle, normalize(met), 1.3) < (reach < 30.0 ? length(met) : 1e9);
    return hidden ? bounced_along(way) / PI : probe(met, level);
}

vec3 seen_along(vec3 way, float blur) {
    vec3 light = bounced_along(way) / PI;
    for (int k = 0; k < BODIES; k++) {
        vec3 to = ball[k].xyz - place;
        float along = dot(to, way);
        float miss = sqrt(max(dot(to, to) - along * along, 0.0)) / ball[k].w;
        float soft = 0.1 + blur * max(along, 0.0) / ball[k].w;
        if (along > 0.0 && k != own) light = mix(ball_light[k], light, smoothstep(1.0 - soft, 1.0 + soft, miss));
    }
    return light;
}

vec3 reflected(vec3 n, float rough) {
    vec3 way = reflect(-to_eye, n);
    float alpha = rough * rough;
#if SAMPLES > 1  // a probe itself sees no other
    if (pattern[own].w > 0.0) {
        vec3 side = normalize(cross(way, abs(way.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0))), light = vec3(0);
        mat2x3 across = mat2x3(side, cross(side, way)) * (1.4 * alpha);
        float taps = alpha < 0.02 ? 1.0 : float(GLINTS), k = 0.5;
        // as much as is between two taps, in pixels of a face, whose width is 2 at distance 1
        float level = clamp(log2(1.4 * alpha * float(textureSize(surroundings, 0).x) / 3.0 / 2.0), 0.0, 2.0);
        vec2 spread = vec2(1, 0);
        for (float left = taps; left > 0.0; left -= 1.0) {
            light += probed_along(normalize(way + across * (sqrt(k / taps) * spread)), level);
            spread = GOLDEN * spread;
            k += 1.0;
        }
        return light / taps;
    }
#endif
    return seen_along(way, alpha);
}

// --------------------------------------------------------------------------------------------------------- lobes

float fresnel(float cosine, float index) {
    float g = sqrt(index * index - 1.0 + cosine * cosine);
    float a = (g - cosine) / (g + cosine), b = (cosine * (g + cosine) - 1.0) / (cosine * (g - cosine) + 1.0);
    return 0.5 * a * a * (1.0 + b * b);
}

// GGX, times the cosine; `wide` is the angle a lamp spans, which widens the lobe and keeps its energy.
float lobe(vec3 n, vec3 to_lamp, float rough, float wide) {
    float alpha = rough * rough, blurred = min(alpha + 0.35 * wide, 1.0);
    vec3 h = normalize(to_eye + to_lamp);
    float nl = max(dot(n, to_lamp), 0.0), nv = max(dot(n, to_eye), 0.02), nh = max(dot(n, h), 0.0);
    float a2 = blurred * blurred, spread = nh * nh * (a2 - 1.0) + 1.0;
    float a = alpha * alpha;
    float visible = 0.5 / (nl * sqrt(nv * nv * (1.0 - a) + a) + nv * sqrt(nl * nl * (1.0 - a) + a) + 1e-4);
    return nl * visible * a2 / (PI * spread * spread);
}

// Ashikhmin's velvet, times the cosine.
float velvet_lobe(vec3 n, vec3 to_lamp) {
    vec3 h = normalize(to_eye + to_lamp);
    float nl = max(dot(n, to_lamp), 0.0), nv = max(dot(n, to_eye), 0.02), nh = clamp(dot(n, h), 0.0, 0.999);
    float tangent = nh * nh / (1.0 - nh * nh);
    return exp(-tangent / (pattern[own].z * pattern[own].z)) * nl / (4.0 * PI * max(nl + nv - nl * nv, 0.05));
}

// --------------------------------------------------------------------------------------------------------- image

vec3 shown(vec3 light) {
    if (view_transform == 0) return light;
    if (view_transform == 2) {  // Blender's Filmic with very high contrast, measured: a logistic curve over stops
        vec3 odds = 7.89 * pow(max(light, 0.0), vec3(1.204));
        return odds / (1.0 + odds);
    }
    light = clamp(light, 0.0, 1.0);
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}

vec3 radiance() {
    Look look = look_of(dot(facing, to_eye));
    vec3 n = normalize(look.normal + max(0.0, 0.02 - dot(look.normal, to_eye)) * to_eye);
    float nv = max(abs(dot(look.normal, to_eye)), 0.1);
    float index = gloss[own].a, second = lobes[own].z, velvet = lobes[own].w;
    float share = index > 1.0 ? fresnel(nv, index) : 0.0;
    float velvet_share = velvet > 1.0 ? fresnel(nv, velvet) : 0.0;
    bool shiny = share > 0.0 || look.metalness > 0.0;
    vec3 even = vec3(0), soft = vec3(0), shine = vec3(0);
    for (int k = 0; k < LAMPS; k++) {
        vec4 to = toward(k);
        float cosine = dot(n, to.xyz);
        if (cosine > 0.0 && dot(facing, to.xyz) > 0.0) {
            vec3 light = lamp_power[k] * lit[k];
            if (k != SUN) light *= max(-dot(to.xyz, lamp_way[k]), 0.0) / (to.w * to.w);
            even += light * cosine;
            if (shiny) {
                float wide = lamp_edge[k] / (k == SUN ? 1.0 : to.w);
                float first = lobe(n, to.xyz, look.roughness.x, wide);
                soft += light * velvet_lobe(n, to.xyz);
                shine += light * mix(first, lobe(n, to.xyz, look.roughness.y, wide), second);
            }
        }
    }
    vec3 ambient = indirect(n);
    even = (even + ambient) / PI;
    soft += 0.5 * ambient / PI;
    if (shiny) {
        vec3 mirrored = reflected(n, look.roughness.x);
        if (second > 0.0) mirrored = mix(mirrored, reflected(n, look.roughness.y), second);
        shine += mirrored;
    }
    vec3 rest = look.color * mix(even, soft, velvet_share);
    return mix(mix(rest, gloss[own].rgb * shine, share), look.color * shine, look.metalness);
}

// Go to where a pixel shows a thing: the middle of the samples that do, which are lit as one.
void look_at(ivec2 at, float thing) {
    vec4 sum = vec4(0);
    vec3 normals = vec3(0);
    for (int k = 0; k < SAMPLES; k++) {
        vec4 seen = texelFetch(seen_place, at, k);
        float counts = seen.w == thing ? 1.0 : 0.0;
        sum += counts * vec4(seen.xyz, 1);
        normals += counts * texelFetch(seen_normal, at, k).xyz;
    }
    own = max(int(thing) - 1, 0);
    place = sum.xyz / sum.w;
    facing = normalize(normals + vec3(0, 0, thing > 0.0 ? 0.0 : 1.0));
    to_eye = eye - place;
    distance = length(to_eye);
    to_eye /= distance;
}

vec3 shaded(ivec2 at, float thing, vec4 shares) {
    look_at(at, thing);
    lit = shares_around(at, thing, shares);
    return shown(thing > 0.0 ? radiance() : sky);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) - origin;
    Things things = things_at(at);
    vec3 light = vec3(0);
    float thing = things.first, weight = 1.0 - things.share;
    vec4 shares = texelFetch(first_shares, at, 0);
    for (int left = things.share > 0.0 ? 2 : 1; left > 0; left--) {
        light += weight * shaded(at, thing, shares);
        thing = things.other;
        weight = things.share;
        shares = texelFetch(other_shares, at, 0);
    }
    pixel = vec4(light, 1);
}
